//! Means with their intervals.

use std::collections::BTreeMap;

use serde::Serialize;

use super::interval_method::IntervalMethod;
use super::options::BootstrapOptions;
use super::resample::TOGETHER;
use super::resampled_mean::ResampledMean;
use crate::error::StatsError;

/// A mean with its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// The mean.
    pub mean: f64,
    /// The lower end; minus infinity if there are too few values for the confidence: fewer than six at 95%.
    pub low: f64,
    /// The upper end; infinity if there are too few values.
    pub high: f64,
    /// The number of values.
    pub n: usize,
}

/// Returns the mean of the values with its interval by [`IntervalMethod::ExpandedBca`].
///
/// # Errors
/// Returns an error if there are no values, a value is not finite, or `options` is invalid.
pub fn mean_interval(values: &[f64], options: &BootstrapOptions) -> Result<Interval, StatsError> {
    Ok(Interval::of(&ResampledMean::of(values, options)?, values.len(), options))
}

/// Returns the mean of each list of values with its interval: the same as [`mean_interval`], and faster for lists of
/// one length, which share their draws.
///
/// # Errors
/// Each list has an error of its own, as from [`mean_interval`].
pub fn mean_intervals<L: AsRef<[f64]> + Sync>(
    lists: &[L],
    options: &BootstrapOptions,
) -> Vec<Result<Interval, StatsError>> {
    let lists: Vec<&[f64]> = lists.iter().map(AsRef::as_ref).collect();
    let mut by_length: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (place, list) in lists.iter().enumerate() {
        by_length.entry(list.len()).or_default().push(place);
    }
    let mut intervals: Vec<_> = lists.iter().map(|_| Err(StatsError::Empty)).collect();
    // No more lists at a time than share their draws: the resamples of each are in memory.
    for places in by_length.values().flat_map(|places| places.chunks(TOGETHER)) {
        let together: Vec<&[f64]> = places.iter().map(|place| lists[*place]).collect();
        for (place, resampled) in places.iter().zip(ResampledMean::of_each(&together, options)) {
            intervals[*place] =
                resampled.map(|resampled| Interval::of(&resampled, lists[*place].len(), options));
        }
    }
    intervals
}

impl Interval {
    fn of(resampled: &ResampledMean, n: usize, options: &BootstrapOptions) -> Self {
        let (low, high) = resampled.interval(IntervalMethod::ExpandedBca, options.confidence);
        Self { mean: resampled.mean, low, high, n }
    }
}
