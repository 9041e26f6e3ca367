//! What was measured.

use llull::core::Topics;
use llull::metrics::{Scores, TrecEvalMeasure};
use llull::stats::BootstrapOptions;

/// What was measured, and how it is to be shown.
pub(super) struct Measured {
    pub(super) named: Vec<TrecEvalMeasure>,
    pub(super) scores: Vec<Scores>,
    pub(super) options: BootstrapOptions,
    /// The queries' texts, where a study has them.
    pub(super) topics: Option<Topics>,
}
