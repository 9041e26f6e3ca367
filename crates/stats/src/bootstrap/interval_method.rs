//! The ways to compute an interval from resamples.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How the ends of a bootstrap interval are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IntervalMethod {
    /// [`Bca`](Self::Bca), made as much wider as Student's t interval is wider than a normal one with the plug-in
    /// standard error (Hesterberg, What teachers should know about the bootstrap, The American Statistician 69(4),
    /// 2015): the plain ones are too narrow for few values. For means of values, which are often skewed.
    #[default]
    ExpandedBca,
    /// [`Percentile`](Self::Percentile), widened in the same way. For differences, which are often 0 and seldom
    /// skewed: the corrections of BCa then cost more than they give.
    ExpandedPercentile,
    /// Percentiles of the resamples, corrected for bias and skewness (bias-corrected and accelerated, BCa: Efron,
    /// Better bootstrap confidence intervals, JASA 82(397), 1987). As `scipy.stats.bootstrap`.
    Bca,
    /// The percentiles of the resamples.
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
