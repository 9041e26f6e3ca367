//! What is corrected, and how the sample was drawn.

use llull_core::DrawnSample;
use llull_stats::{Estimand, Looks};

/// How people's labels were drawn.
#[derive(Debug, Clone, Copy)]
pub enum SampledHow<'a> {
    /// A uniform random sample of the pairs that the judge labels and the runs retrieve to the measure's depth.
    Pairs,
    /// A uniform random sample of the judge's queries.
    Queries,
    /// With these probabilities.
    Drawn(&'a DrawnSample),
}

/// What is estimated, and how sure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CorrectionOptions {
    /// What is estimated.
    pub estimand: Estimand,
    /// The confidence of the intervals.
    pub confidence: f64,
    /// How often they are looked at while labels come in.
    pub looks: Looks,
}

impl Default for CorrectionOptions {
    /// The mean over queries like these, 95%, looked at once.
    fn default() -> Self {
        Self { estimand: Estimand::QueriesLikeThese, confidence: 0.95, looks: Looks::Once }
    }
}
