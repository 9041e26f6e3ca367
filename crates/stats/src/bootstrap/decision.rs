//! The comparison of two systems: a paired bootstrap, and its decision.

use std::fmt;

use serde::Serialize;

use super::interval::{BootstrapOptions, IntervalMethod};
use super::resample::ResampledMean;
use crate::error::StatsError;
use crate::paired::Paired;
use crate::power::{least_p_of_signs, least_topics};

/// The decision of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display, Serialize)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Decision {
    /// The whole interval of the difference lies above 0: the candidate is better.
    Better,
    /// The whole interval lies below 0: the candidate is worse.
    Worse,
    /// These queries do not decide. This does not mean that the two are equally good.
    Inconclusive,
}

impl Decision {
    /// Decides by the ends of the difference's interval: the whole of it has to lie on one side of 0, on queries that
    /// could decide.
    pub fn of(low: f64, high: f64, undecidable: Option<Undecidable>) -> Self {
        match undecidable {
            None if low > 0.0 => Self::Better,
            None if high < 0.0 => Self::Worse,
            _ => Self::Inconclusive,
        }
    }
}

/// Why no figures on these queries could decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "reason")]
pub enum Undecidable {
    /// The two systems have the same value on every query.
    Identical,
    /// They differ on so few queries that, even if all of them favoured one side, a fair coin would do the same too
    /// often: a two-sided sign test cannot fall below 2^(1 - differing). Bootstrap intervals are too narrow there.
    TooFewTopics {
        /// The number of queries with different values.
        differing: usize,
        /// The number of them that the confidence requires: 6 at 95%.
        needed: usize,
    },
}

impl Undecidable {
    /// Returns the reason why a difference on so few queries cannot be significant; `None` if it can.
    pub(super) fn of(differing: usize, confidence: f64) -> Option<Self> {
        let needed = least_topics(confidence);
        match differing {
            0 => Some(Self::Identical),
            differing if differing < needed => Some(Self::TooFewTopics { differing, needed }),
            _ => None,
        }
    }
}

impl fmt::Display for Undecidable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Identical => f.write_str("the two have the same value on every query"),
            Self::TooFewTopics { differing: 1, needed } => {
                write!(f, "the two differ on 1 query only; at least {needed} are needed to tell them apart")
            }
            Self::TooFewTopics { differing, needed } => {
                write!(
                    f,
                    "the two differ on {differing} queries only; at least {needed} are needed to tell them apart"
                )
            }
        }
    }
}

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
