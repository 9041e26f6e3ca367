//! Bootstrap intervals of means, by any method.

use llull_core::Seed;
use serde::Serialize;

use super::interval_method::IntervalMethod;
use super::options::BootstrapOptions;
use super::resampled_mean::ResampledMean;
use crate::error::StatsError;

/// A mean with a bootstrap interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct BootstrapInterval {
    /// The mean.
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
    /// The number of values.
    pub n: usize,
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
    let resampled = ResampledMean::of(values, options)?;
    let BootstrapOptions { resamples, confidence, seed } = *options;
    let (low, high) = resampled.interval(method, confidence);
    let (mean, n) = (resampled.mean, values.len());
    Ok(BootstrapInterval { mean, low, high, confidence, method, resamples, seed, n })
}
