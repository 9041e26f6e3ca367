//! The expected width of an interval.

use crate::descriptive::variance;

/// The width of an interval, from end to end, that is expected of a sample.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct PlannedWidth {
    /// For the figure of complete human labels of this pool: 0 if all is labelled.
    pub these_queries: f64,
    /// Of the mean over queries like these. No number of labels makes it narrower than [`floor`](Self::floor).
    pub queries_like_these: f64,
    /// The part of the second that more labels cannot reduce, since the number of queries is limited.
    pub floor: f64,
}

/// Returns the variance of the mean over queries like these.
pub(super) fn variance_of_mean(judged: &[f64]) -> f64 {
    variance(judged).unwrap_or(0.0) / judged.len() as f64
}
