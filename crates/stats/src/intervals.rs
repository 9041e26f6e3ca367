//! Bootstrap intervals of means and of differences between them, paired or not.

use std::fmt;

use llull_core::Seed;
use serde::{Deserialize, Serialize};

use crate::bootstrap::{Bootstrap, BootstrapOptions};
use crate::error::StatsError;
use crate::significance::Paired;

/// Where the ends of a bootstrap interval come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IntervalMethod {
    /// [`Bca`](Self::Bca), made as much wider as Student's t interval is wider than a normal one with the plug-in
    /// standard error (Hesterberg, What teachers should know about the bootstrap, The American Statistician 69(4),
    /// 2015): with few values the others are too narrow. For means of values, which are often skewed.
    #[default]
    ExpandedBca,
    /// [`Percentile`](Self::Percentile), made wider likewise. For differences, which are often 0 and seldom skewed: the
    /// corrections of BCa then cost more than they give.
    ExpandedPercentile,
    /// Percentiles of the resamples, corrected for bias and skewness (bias-corrected and accelerated, BCa: Efron,
    /// Better bootstrap confidence intervals, JASA 82(397), 1987). As `scipy.stats.bootstrap`.
    Bca,
    /// The percentiles of the resamples as they are.
    Percentile,
}

impl fmt::Display for IntervalMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::ExpandedBca => "expanded BCa",
            Self::ExpandedPercentile => "expanded percentile",
            Self::Bca => "BCa",
            Self::Percentile => "percentile",
        })
    }
}

/// A mean, or a difference of means, with a bootstrap interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct BootstrapInterval {
    /// What was estimated: the mean, or candidate minus baseline.
    pub mean: f64,
    /// The lower end; minus infinity where a sample has one value only, which says nothing about its like.
    pub low: f64,
    /// The upper end; infinity where a sample has one value only.
    pub high: f64,
    /// The share of such intervals that are to hold the true value.
    pub confidence: f64,
    /// How the ends were found.
    pub method: IntervalMethod,
    /// How many resamples were drawn.
    pub resamples: usize,
    /// Their source of chance.
    pub seed: Seed,
    /// How many values the candidate, or the only sample, has.
    pub n: usize,
    /// How many values an unpaired baseline has; `None` where topics were resampled in pairs, or there is one sample.
    pub baseline: Option<usize>,
}

/// The mean of the values and its interval.
///
/// # Errors
/// When there is no value or one is not finite, or when the options cannot be.
pub fn bootstrap_mean(
    values: &[f64],
    method: IntervalMethod,
    options: &BootstrapOptions,
) -> Result<BootstrapInterval, StatsError> {
    Ok(of(&Bootstrap::of(values, options)?, method, options, values.len(), None))
}

/// The mean difference over the same topics and its interval: topics are drawn, and both systems' values with them.
/// [`paired_bootstrap`](crate::paired_bootstrap) is this by expanded percentiles, with a p and a decision.
///
/// # Errors
/// When the two have different lengths or no value, when a value is not finite, or when the options cannot be.
pub fn bootstrap_paired(
    baseline: &[f64],
    candidate: &[f64],
    method: IntervalMethod,
    options: &BootstrapOptions,
) -> Result<BootstrapInterval, StatsError> {
    let paired = Paired::of(baseline, candidate)?;
    Ok(of(&Bootstrap::of(&paired.differences, options)?, method, options, paired.n(), None))
}

/// The difference between the means of two samples that have nothing to do with one another, such as two sets of
/// topics, and its interval: each is drawn from by itself.
///
/// Over the same topics this is too wide, often by far: use [`bootstrap_paired`].
///
/// # Errors
/// When one has no value or one that is not finite, or when the options cannot be.
pub fn bootstrap_unpaired(
    baseline: &[f64],
    candidate: &[f64],
    method: IntervalMethod,
    options: &BootstrapOptions,
) -> Result<BootstrapInterval, StatsError> {
    let bootstrap = Bootstrap::of_two(baseline, candidate, options)?;
    Ok(of(&bootstrap, method, options, candidate.len(), Some(baseline.len())))
}

fn of(
    bootstrap: &Bootstrap,
    method: IntervalMethod,
    options: &BootstrapOptions,
    n: usize,
    baseline: Option<usize>,
) -> BootstrapInterval {
    let BootstrapOptions { resamples, confidence, seed } = *options;
    let (low, high) = bootstrap.interval(method, confidence);
    BootstrapInterval { mean: bootstrap.mean, low, high, confidence, method, resamples, seed, n, baseline }
}
