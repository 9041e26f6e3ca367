//! The variance of a mean over queries.

use crate::descriptive::variance;
use crate::error::StatsError;

/// Returns the variance of a mean of which each query has contributed this share.
pub(super) fn over_queries(shares: &[f64]) -> Result<f64, StatsError> {
    let n = shares.len() as f64;
    let figures: Vec<f64> = shares.iter().map(|share| share * n).collect();
    variance(&figures)
        .map(|variance| variance / n)
        .ok_or(StatsError::TooFewLabels { labels: shares.len(), needed: 2 })
}
