//! The options of a correction, and the draw of its sample.

use llull_core::DrawnSample;
use llull_stats::{Estimand, Looks};

/// The draw of the human labels.
#[derive(Debug, Clone, Copy)]
pub enum SampledHow<'a> {
    /// A uniform random sample of the pairs that the judge labels and the runs retrieve to the measure's depth.
    Pairs,
    /// A uniform random sample of the judge's queries.
    Queries,
    /// A draw with these probabilities.
    Drawn(&'a DrawnSample),
}

/// The estimated quantity, and the confidence of its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CorrectionOptions {
    /// The estimated quantity.
    pub estimand: Estimand,
    /// The confidence of the intervals.
    pub confidence: f64,
    /// How often the intervals are read while labels arrive.
    pub looks: Looks,
}

impl Default for CorrectionOptions {
    /// The mean over queries like these, at 95%, read once.
    fn default() -> Self {
        Self { estimand: Estimand::QueriesLikeThese, confidence: 0.95, looks: Looks::Once }
    }
}
