//! The documents that made the difference of two systems on a query.

use crate::text::{brief_difference, brief_figure};
use crate::topics::{DocumentDetail, NoSplit, TopicDetail, document_shares};

/// How many documents are listed. One more is listed rather than counted.
const LISTED: usize = 6;

/// The difference of two systems on a query, and the documents that made it.
#[derive(Debug)]
pub(crate) struct Difference {
    /// The places of the baseline and the system in the report.
    pub(crate) systems: [usize; 2],
    /// Their values.
    pub(crate) values: [Option<f64>; 2],
    /// The documents with their shares.
    pub(crate) split: Result<Split, NoSplit>,
    /// The first documents of both systems, if there is no split.
    pub(crate) ranked: Vec<DocumentDetail>,
}

/// A difference split among documents.
#[derive(Debug, Default)]
pub(crate) struct Split {
    /// The documents with the largest shares, which come first.
    pub(crate) documents: Vec<(DocumentDetail, f64)>,
    /// How many more documents have a share, and their sum.
    pub(crate) more: (usize, f64),
}

impl Difference {
    /// The difference by a measure, which has this place among a system's values. Without a split it keeps the
    /// documents down to `ranks`.
    pub(crate) fn of(topic: &TopicDetail, measure: (&str, usize), systems: [usize; 2], ranks: u32) -> Self {
        let split = document_shares(topic, measure, systems).map(|shares| {
            let listed = if shares.len() == LISTED + 1 { shares.len() } else { LISTED.min(shares.len()) };
            let (listed, rest) = shares.split_at(listed);
            let document = |at: usize| topic.documents.get(at).cloned();
            Split {
                documents: listed
                    .iter()
                    .filter_map(|one| Some((document(one.document)?, one.share)))
                    .collect(),
                more: (rest.len(), rest.iter().map(|one| one.share).sum()),
            }
        });
        let is_first = |document: &&DocumentDetail| {
            systems
                .iter()
                .any(|at| document.ranks.get(*at).copied().flatten().is_some_and(|rank| rank <= ranks))
        };
        let ranked = match split {
            Ok(_) => Vec::new(),
            Err(_) => topic.documents.iter().filter(is_first).cloned().collect(),
        };
        let value = |at: usize| topic.systems.get(at).and_then(|system| system.values.get(measure.1)?.value);
        Self { systems, values: systems.map(value), split, ranked }
    }

    /// Returns the system's value less the baseline's; `None` if one is unknown.
    pub(crate) fn by(&self) -> Option<f64> {
        Some(self.values[1]? - self.values[0]?)
    }

    /// Returns the difference and the two values: `+0.73 (0.07 to 0.80)`.
    pub(crate) fn summary(&self) -> String {
        let [baseline, system] = self.values.map(brief_figure);
        match self.by() {
            Some(by) => format!("{} ({baseline} to {system})", brief_difference(by)),
            None => format!("{baseline} to {system}"),
        }
    }
}
