//! Means with their intervals.

use std::collections::BTreeMap;

use serde::Serialize;

use super::interval_method::IntervalMethod;
use super::options::BootstrapOptions;
use super::resample::TOGETHER;
use super::resampled_mean::ResampledMean;
use crate::error::StatsError;
use crate::exact::exact_interval;
use crate::least_topics::least_topics;

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

/// Returns the mean of the values with its interval by [`IntervalMethod::ExpandedBca`]; if all values are 0 or 1, with
/// the exact interval of a share ([`exact_interval`]), since resamples of equal values have no spread.
///
/// # Errors
/// Returns an error if there are no values, a value is not finite, or `options` is invalid.
pub fn mean_interval(values: &[f64], options: &BootstrapOptions) -> Result<Interval, StatsError> {
    Interval::of(&ResampledMean::of(values, options)?, values, options)
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
                resampled.and_then(|resampled| Interval::of(&resampled, lists[*place], options));
        }
    }
    intervals
}

impl Interval {
    fn of(resampled: &ResampledMean, values: &[f64], options: &BootstrapOptions) -> Result<Self, StatsError> {
        let (n, confidence) = (values.len(), options.confidence);
        let is_share = n >= least_topics(confidence) && values.iter().all(|value| [0.0, 1.0].contains(value));
        let (low, high) = match is_share {
            true => exact_interval(values.iter().sum(), n as f64, confidence)?,
            false => resampled.interval(IntervalMethod::ExpandedBca, confidence),
        };
        Ok(Self { mean: resampled.mean, low, high, n })
    }
}
