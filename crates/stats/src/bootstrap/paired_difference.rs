//! The comparison of two systems over the same queries.

use serde::Serialize;

use super::decision::{Decision, Undecidable};
use super::interval_method::IntervalMethod;
use super::options::BootstrapOptions;
use super::resampled_mean::ResampledMean;
use crate::error::StatsError;
use crate::least_topics::least_p_of_signs;
use crate::paired::Paired;

/// Candidate minus baseline over the same queries.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PairedDifference {
    /// The mean difference; above 0 if the candidate is better.
    pub mean: f64,
    /// The lower end of its interval; minus infinity if there are too few queries for the confidence.
    pub low: f64,
    /// The upper end of its interval; infinity if there are too few queries.
    pub high: f64,
    /// The confidence of the interval.
    pub confidence: f64,
    /// The number of queries.
    pub n: usize,
    /// The number of queries on which the candidate is better.
    pub wins: usize,
    /// The number of queries on which the two are equal, to 12 significant digits.
    pub ties: usize,
    /// The number of queries on which the candidate is worse.
    pub losses: usize,
    /// The share of resamples whose mean difference is above 0.
    pub above: f64,
    /// The share of resamples whose mean difference is below 0.
    pub below: f64,
    /// The two-sided p of no difference; at least 1 / resamples, and at least the p of a sign test with all differing
    /// queries on one side. `None` for a single query.
    pub p: Option<f64>,
    /// The decision.
    pub decision: Decision,
    /// Why no figures on so few differing queries could have decided; `None` if they could.
    pub undecidable: Option<Undecidable>,
}

/// Compares `candidate` with `baseline`: the values of one measure by query, over the same queries in the same order.
///
/// # Errors
/// Returns an error if the two lists differ in length or are empty, a value is not finite, or `options` is invalid.
pub fn paired_bootstrap(
    baseline: &[f64],
    candidate: &[f64],
    options: &BootstrapOptions,
) -> Result<PairedDifference, StatsError> {
    let paired = Paired::of(baseline, candidate)?;
    let resampled = ResampledMean::of(&paired.differences, options)?;
    let (low, high) = resampled.interval(IntervalMethod::ExpandedPercentile, options.confidence);
    let (n, wins, differing) = (paired.n(), paired.wins(), paired.differing());
    let undecidable = Undecidable::of(differing, options.confidence);
    Ok(PairedDifference {
        mean: resampled.mean,
        low,
        high,
        confidence: options.confidence,
        n,
        wins,
        ties: n - differing,
        losses: differing - wins,
        above: resampled.share(|mean| mean > 0.0),
        below: resampled.share(|mean| mean < 0.0),
        p: resampled.p_of_zero().map(|p| p.max(least_p_of_signs(differing))),
        decision: Decision::of(low, high, undecidable),
        undecidable,
    })
}
