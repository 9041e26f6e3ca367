//! The alternatives of a test: two-sided, greater, less.

use serde::Serialize;

/// The alternative to "there is no difference".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Alternative {
    /// The two differ, in either direction.
    #[default]
    TwoSided,
    /// The candidate is better than the baseline.
    Greater,
    /// The candidate is worse than the baseline.
    Less,
}

impl Alternative {
    /// Returns the part of a difference that is large if the alternative holds.
    pub(crate) fn size(self, difference: f64) -> f64 {
        match self {
            Self::TwoSided => difference.abs(),
            Self::Greater => difference,
            Self::Less => -difference,
        }
    }

    /// Returns the p of this alternative from the probabilities of at most and of at least the observed statistic.
    pub(super) fn p(self, at_most: f64, at_least: f64) -> f64 {
        match self {
            Self::TwoSided => (2.0 * at_most.min(at_least)).min(1.0),
            Self::Greater => at_least,
            Self::Less => at_most,
        }
    }
}
