//! The places of a query's judged documents in a run.

use std::collections::BTreeMap;

use llull_core::{JudgmentGroup, Ranking};

/// The places of the judged documents of a query: retrieved ones from 0 up in the order of the run, behind them the
/// others in the order of their identifiers.
pub(super) struct Places<'a> {
    places: BTreeMap<&'a str, u32>,
    /// How many of them are retrieved.
    pub(super) retrieved: u32,
}

impl<'a> Places<'a> {
    /// The places of the documents that these groups judge.
    pub(super) fn new(groups: impl Iterator<Item = &'a JudgmentGroup>, ranking: Option<&Ranking>) -> Self {
        let judged = groups.flat_map(|group| group.values()).flat_map(|levels| levels.keys());
        let mut places: BTreeMap<&str, Option<u32>> = judged.map(|document| (&**document, None)).collect();
        let mut next = 0;
        let hits: Vec<_> = ranking.into_iter().flat_map(Ranking::iter).collect();
        for tied in hits.chunk_by(|a, b| a.score == b.score) {
            for hit in tied.iter().rev() {
                if let Some(place @ None) = places.get_mut(hit.document) {
                    *place = Some(next);
                    next += 1;
                }
            }
        }
        let retrieved = next;
        let mut place = |known: Option<u32>| {
            known.unwrap_or_else(|| {
                next += 1;
                next - 1
            })
        };
        Self {
            places: places.into_iter().map(|(document, known)| (document, place(known))).collect(),
            retrieved,
        }
    }

    /// How many documents are judged.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// The place of a judged document.
    pub(super) fn of(&self, document: &str) -> Option<u32> {
        self.places.get(document).copied()
    }

    /// The document at a place.
    pub(super) fn document(&self, place: u32) -> String {
        let found = self.places.iter().find(|(_, other)| **other == place);
        found.map_or_else(String::new, |(document, _)| (*document).to_owned())
    }
}
