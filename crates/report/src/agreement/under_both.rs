//! A value for each of two label sets.

use serde::Serialize;

/// The same thing under the truth and under the other labels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct UnderBoth<T> {
    /// Under the truth.
    pub truth: T,
    /// Under the other labels.
    pub other: T,
}

impl UnderBoth<usize> {
    pub(super) fn is_zero(&self) -> bool {
        self.truth + self.other == 0
    }
}

/// The documents that a measure used, over all systems and queries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct UnjudgedDocuments {
    /// How many there are.
    pub seen: u64,
    /// How many of them have no label, and so count as not relevant.
    pub unjudged: u64,
}
