//! Bootstrap intervals by any method, of means and of differences between them, paired or not.

use llull_core::Seed;
use serde::Serialize;

use super::interval_method::IntervalMethod;
use super::options::BootstrapOptions;
use super::resampled_mean::ResampledMean;
use crate::error::StatsError;
use crate::paired::Paired;

/// A mean, or a difference of means, with a bootstrap interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct BootstrapInterval {
    /// The estimate: the mean, or candidate minus baseline.
    pub mean: f64,
    /// The lower end; minus infinity if there are too few values for the method: of expanded intervals fewer than six
    /// at 95%, of the others a single one.
    pub low: f64,
    /// The upper end; infinity if there are too few values.
    pub high: f64,
    /// The share of such intervals that should hold the true value.
    pub confidence: f64,
    /// How the ends were found.
    pub method: IntervalMethod,
    /// The number of resamples.
    pub resamples: usize,
    /// Their source of chance.
    pub seed: Seed,
    /// The number of values of the candidate, or of the only sample.
    pub n: usize,
    /// The number of values of an unpaired baseline; `None` for pairs and for a single sample.
    pub baseline: Option<usize>,
}

/// Returns the mean of the values with its interval.
///
/// # Errors
/// Returns an error if there are no values, a value is not finite, or `options` is invalid.
pub fn bootstrap_mean(
    values: &[f64],
    method: IntervalMethod,
    options: &BootstrapOptions,
) -> Result<BootstrapInterval, StatsError> {
    Ok(interval(&ResampledMean::of(values, options)?, method, options, values.len(), None))
}

/// Returns the mean difference over the same queries with its interval: queries are drawn, each with the values of
/// both systems. [`paired_bootstrap`](crate::paired_bootstrap) does this by expanded percentiles and adds a p and a
/// decision.
///
/// # Errors
/// Returns an error if the two lists differ in length or are empty, a value is not finite, or `options` is invalid.
pub fn bootstrap_paired(
    baseline: &[f64],
    candidate: &[f64],
    method: IntervalMethod,
    options: &BootstrapOptions,
) -> Result<BootstrapInterval, StatsError> {
    let paired = Paired::of(baseline, candidate)?;
    Ok(interval(&ResampledMean::of(&paired.differences, options)?, method, options, paired.n(), None))
}

/// Returns the difference between the means of two independent samples, such as two sets of queries, with its
/// interval: each sample is drawn from by itself.
///
/// For the same queries this interval is too wide, often by far: use [`bootstrap_paired`].
///
/// # Errors
/// Returns an error if a sample is empty, a value is not finite, or `options` is invalid.
pub fn bootstrap_unpaired(
    baseline: &[f64],
    candidate: &[f64],
    method: IntervalMethod,
    options: &BootstrapOptions,
) -> Result<BootstrapInterval, StatsError> {
    let resampled = ResampledMean::of_two(baseline, candidate, options)?;
    Ok(interval(&resampled, method, options, candidate.len(), Some(baseline.len())))
}

fn interval(
    resampled: &ResampledMean,
    method: IntervalMethod,
    options: &BootstrapOptions,
    n: usize,
    baseline: Option<usize>,
) -> BootstrapInterval {
    let BootstrapOptions { resamples, confidence, seed } = *options;
    let (low, high) = resampled.interval(method, confidence);
    BootstrapInterval { mean: resampled.mean, low, high, confidence, method, resamples, seed, n, baseline }
}
