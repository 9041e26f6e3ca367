//! Equivalence: whether a difference is too small to matter.

use serde::Serialize;

use super::paired_tests::statistic;
use crate::distribution::student;
use crate::error::{StatsError, Undefined};
use crate::paired::Paired;

/// The result of two one-sided tests of a mean difference against two margins.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Equivalence {
    /// The number of queries.
    pub n: usize,
    /// The mean difference, candidate minus baseline.
    pub mean: f64,
    /// The lower margin.
    pub low_margin: f64,
    /// The upper margin.
    pub high_margin: f64,
    /// The p of a difference at or below the lower margin: small if the candidate is not worse by that much.
    pub p_low: Option<f64>,
    /// The p of a difference at or above the upper margin.
    pub p_high: Option<f64>,
    /// The larger of the two. If it is at or below a level, the difference lies within the margins at that level.
    pub p: Option<f64>,
    /// Why there is no p.
    pub undefined: Option<Undefined>,
}

/// Tests whether the mean difference lies within the margins, by two one-sided paired t tests (TOST: Schuirmann, A
/// comparison of the two one-sided tests procedure and the power approach, Journal of Pharmacokinetics and
/// Biopharmaceutics 15(6), 1987).
///
/// The margins are in the unit of the measure; the user decides which difference would not matter, such as -0.01 to
/// 0.01. "Not significantly different" does not show equivalence; this does. It is significant at 0.05 exactly if the
/// t interval of 90% confidence lies within the margins. `p_low` alone tests that the candidate is not worse by the
/// margin (non-inferiority). As `statsmodels.stats.weightstats.ttost_paired(candidate, baseline, low, high)`.
///
/// Two systems that are equal everywhere, or differ by the same on every query, have no standard error and so no p.
///
/// # Errors
/// Returns an error if the two lists differ in length or are empty, a value is not finite, or the lower margin is not
/// below the upper one.
pub fn equivalence_test(
    baseline: &[f64],
    candidate: &[f64],
    low: f64,
    high: f64,
) -> Result<Equivalence, StatsError> {
    if !(low < high && low.is_finite() && high.is_finite()) {
        return Err(StatsError::Margins { low, high });
    }
    let paired = Paired::of(baseline, candidate)?;
    let degrees = (paired.n() - 1) as f64;
    let above_low = statistic(&paired, low).map(|t| student::above(t, degrees));
    let below_high = statistic(&paired, high).map(|t| student::above(-t, degrees));
    let undefined = paired.spread().err().or(above_low.err()).or(below_high.err());
    let (p_low, p_high) = (above_low.ok(), below_high.ok());
    Ok(Equivalence {
        n: paired.n(),
        mean: paired.mean(),
        low_margin: low,
        high_margin: high,
        p_low,
        p_high,
        p: p_low.zip(p_high).map(|(low, high)| low.max(high)),
        undefined,
    })
}
