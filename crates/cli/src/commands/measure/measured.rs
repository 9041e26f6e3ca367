//! The figures of systems, and how they are to be shown.

use llull::core::Topics;
use llull::metrics::{Scores, TrecEvalMeasure};
use llull::stats::BootstrapOptions;

/// The figures of systems, and how they are to be shown.
pub(super) struct Measured {
    pub(super) named: Vec<TrecEvalMeasure>,
    pub(super) scores: Vec<Scores>,
    pub(super) options: BootstrapOptions,
    /// The queries' texts, if a study has them.
    pub(super) topics: Option<Topics>,
}
