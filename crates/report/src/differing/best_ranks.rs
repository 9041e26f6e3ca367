//! The best rank at which a system has a document.

use llull_core::Run;
use rustc_hash::FxHashMap;

/// The best rank, from 1, of each document of some queries.
pub(super) struct BestRanks<'a>(FxHashMap<&'a str, FxHashMap<&'a str, usize>>);

impl<'a> BestRanks<'a> {
    /// Of the documents that `wanted` names, so that runs of a million lines leave no more than these behind.
    pub(super) fn of(runs: &[Run], wanted: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        let mut ranks: FxHashMap<&'a str, FxHashMap<&'a str, usize>> = FxHashMap::default();
        if runs.is_empty() {
            return Self(ranks);
        }
        for (query, document) in wanted {
            ranks.entry(query).or_default().insert(document, usize::MAX);
        }
        for (query, ranking) in runs.iter().flat_map(Run::iter) {
            let Some(documents) = ranks.get_mut(query) else { continue };
            for hit in ranking.iter() {
                if let Some(best) = documents.get_mut(hit.document) {
                    *best = hit.rank.min(*best);
                }
            }
        }
        Self(ranks)
    }

    /// The rank; `None` if no system returned the document.
    pub(super) fn get(&self, query: &str, document: &str) -> Option<usize> {
        self.0.get(query)?.get(document).copied().filter(|rank| *rank < usize::MAX)
    }
}
