//! Bootstrap intervals of means, by any method.
//!
//! An interval of few values is expanded: it is as much wider than a normal interval as Student's t is than the normal
//! distribution. BCa corrects for bias and skewness (Efron and Tibshirani 1993, chapter 14).

use std::collections::BTreeMap;

use llull_core::Seed;
use serde::{Deserialize, Serialize};

use super::resample::{ResampledMean, TOGETHER};
use crate::distribution::{normal, student};
use crate::error::StatsError;
use crate::power::least_topics;

/// Parameters of a bootstrap.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct BootstrapOptions {
    /// The number of resamples; 10,000 by default.
    pub resamples: usize,
    /// The share of such intervals that should hold the true value; 0.95 by default.
    pub confidence: f64,
    /// The source of chance.
    pub seed: Seed,
}

impl BootstrapOptions {
    /// Returns the defaults: 10,000 resamples and 95% confidence.
    pub fn new(seed: Seed) -> Self {
        Self { resamples: 10_000, confidence: 0.95, seed }
    }

    /// Checks that an interval can be computed with these parameters.
    ///
    /// # Errors
    /// Returns an error if the confidence is not between 0 and 1, or if there are so few resamples that none lies
    /// beyond the ends of the interval.
    pub fn check(&self) -> Result<(), StatsError> {
        let Self { resamples, confidence, .. } = *self;
        StatsError::unless_confidence(confidence)?;
        let needed = (2.0 / (1.0 - confidence)).ceil() as usize;
        if resamples < needed { Err(StatsError::Resamples { resamples, confidence, needed }) } else { Ok(()) }
    }
}

/// How the ends of a bootstrap interval are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::Display, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IntervalMethod {
    /// [`Bca`](Self::Bca), made as much wider as Student's t interval is wider than a normal one with the plug-in
    /// standard error (Hesterberg, What teachers should know about the bootstrap, The American Statistician 69(4),
    /// 2015): the plain ones are too narrow for few values. For means of values, which are often skewed.
    #[default]
    #[strum(to_string = "expanded BCa")]
    ExpandedBca,
    /// [`Percentile`](Self::Percentile), widened in the same way. For differences, which are often 0 and seldom
    /// skewed: the corrections of BCa then cost more than they give.
    #[strum(to_string = "expanded percentile")]
    ExpandedPercentile,
    /// Percentiles of the resamples, corrected for bias and skewness (bias-corrected and accelerated, BCa: Efron,
    /// Better bootstrap confidence intervals, JASA 82(397), 1987). As `scipy.stats.bootstrap`.
    #[strum(to_string = "BCa")]
    Bca,
    /// The percentiles of the resamples.
    #[strum(to_string = "percentile")]
    Percentile,
}

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

/// Converts the normal units that resamples vary in to those of Student's t (Hesterberg 2015).
#[derive(Clone, Copy)]
pub(super) struct Expansion {
    /// The standard error of a mean over its plug-in estimate, which resamples vary by: sqrt(n / (n - 1)).
    stretch: f64,
    /// The degrees of freedom of the standard error.
    degrees: f64,
    /// The number of values.
    n: usize,
}

impl Expansion {
    /// For `n` values.
    pub(super) fn of(n: usize) -> Self {
        let degrees = n as f64 - 1.0;
        Self { stretch: (n as f64 / degrees).sqrt(), degrees, n }
    }

    /// Returns how many normal units on either side hold this share; `None` if there are too few values for it.
    pub(super) fn units(self, confidence: f64) -> Option<f64> {
        (self.n >= least_topics(confidence))
            .then(|| self.stretch * student::critical((1.0 - confidence) / 2.0, self.degrees))
    }

    /// Returns the two-sided p of so many normal units.
    pub(super) fn p(self, units: f64) -> f64 {
        2.0 * student::above(units.abs() / self.stretch, self.degrees)
    }
}

/// The corrections of the percentiles of resamples.
#[derive(Clone, Copy)]
pub(super) struct BiasCorrection {
    /// How far the median of the resamples lies from the estimate, in normal units.
    pub(super) bias: f64,
    /// How fast the standard error changes with the figure: a sixth of its skewness, by the jackknife.
    pub(super) acceleration: f64,
}

impl BiasCorrection {
    pub(super) const NONE: Self = Self { bias: 0.0, acceleration: 0.0 };

    /// Of an estimate among its resamples, which ascend.
    pub(super) fn new(ascending: &[f64], estimate: f64, acceleration: f64) -> Self {
        Self { bias: normal::quantile(share_below(ascending, estimate)), acceleration }
    }

    /// Returns the share of the resamples that lie below `z` standard errors after the corrections.
    pub(super) fn share(self, z: f64) -> f64 {
        let shifted = self.bias + z;
        let shrink = 1.0 - self.acceleration * shifted;
        // Beyond the pole of the correction lie all resamples or none.
        if shrink <= 0.0 {
            f64::from(u8::from(shifted > 0.0))
        } else {
            normal::cdf(self.bias + shifted / shrink)
        }
    }
}

/// Returns the share of ascending resamples below `point`, counting those equal to it half. At least half a resample
/// away from 0 and 1, so that its normal quantile is finite.
pub(super) fn share_below(ascending: &[f64], point: f64) -> f64 {
    let below = ascending.partition_point(|value| *value < point);
    let up_to = ascending.partition_point(|value| *value <= point);
    let count = ascending.len() as f64;
    ((below + up_to) as f64 / 2.0).clamp(0.5, count - 0.5) / count
}

/// Returns a sixth of Σu³ / (Σu²)^1.5: the acceleration if u are the influences of the values, by the jackknife
/// (Efron and Tibshirani 1993, equation 14.15). 0 without any spread.
pub(super) fn acceleration(influences: impl Iterator<Item = f64>) -> f64 {
    let (squares, cubes) =
        influences.fold((0.0, 0.0), |(squares, cubes), u| (squares + u * u, cubes + u * u * u));
    if squares > 0.0 { cubes / (6.0 * f64::powf(squares, 1.5)) } else { 0.0 }
}

/// Returns the [`acceleration`] of influences of any size: scaled to at most 1, so that no power overflows or vanishes.
pub(super) fn scaled_acceleration(influences: impl Iterator<Item = f64> + Clone) -> f64 {
    let most = influences.clone().fold(0.0, |most: f64, u| most.max(u.abs()));
    acceleration(influences.map(|u| u / most))
}
