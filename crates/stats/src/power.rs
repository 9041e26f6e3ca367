//! The queries that a paired t test, or an interval, needs.
//!
//! Power is computed exactly, by the noncentral t distribution (Cohen, Statistical Power Analysis for the Behavioral
//! Sciences, 1988; for retrieval: Sakai, Topic set size design, Information Retrieval Journal 19(3), 2016). No
//! simulation is needed, and the permutation test has nearly the same power (Smucker, Allan and Carterette, CIKM 2007).
//! `statsmodels.stats.power.TTestPower` gives the same. The queries of an interval follow from the least p that the
//! signs of a few differences can have.

use serde::Serialize;

use crate::distribution::{root_of_increasing, student};
use crate::error::{StatsError, Undefined};
use crate::paired::Paired;

/// No study judges more queries.
const MOST_TOPICS: usize = 100_000_000;

/// The level and the power of a planned test, which is two-sided.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PowerOptions {
    /// The level of significance; 0.05 by default.
    pub significance: f64,
    /// How often a difference of the given size should be found significant; 0.8 by default.
    pub power: f64,
}

impl Default for PowerOptions {
    fn default() -> Self {
        Self { significance: 0.05, power: 0.8 }
    }
}

impl PowerOptions {
    fn check(&self) -> Result<(), StatsError> {
        StatsError::unless_significance(self.significance)?;
        StatsError::unless_power(self.power)
    }
}

/// Returns the probability that a paired t test over this number of queries is significant if the true effect is
/// `effect`, in standard deviations of the differences (d_z, above 0 if the candidate is better). `None` for fewer than
/// two queries.
///
/// ```
/// use llull_stats::power_of_t;
///
/// // statsmodels 0.15.0: TTestPower().power(0.5, 30, 0.05)
/// let power = power_of_t(0.5, 30, 0.05)?;
/// assert!(power.is_some_and(|power| (power - 0.7539647).abs() < 1e-7));
/// # Ok::<(), llull_stats::StatsError>(())
/// ```
///
/// # Errors
/// Returns an error if the effect is not finite or the level is not between 0 and 1.
pub fn power_of_t(effect: f64, topics: usize, significance: f64) -> Result<Option<f64>, StatsError> {
    StatsError::unless_significance(significance)?;
    if !effect.is_finite() {
        return Err(StatsError::Effect(effect));
    }
    Ok(Design::new(topics, significance).map(|design| design.power(effect)))
}

/// Returns the least number of queries that gives the power for a true effect (d_z) of this size. `None` if no number,
/// or only one above a hundred million, does: for an effect of 0.
///
/// # Errors
/// Returns an error if the effect is not finite, or the level or the power is not between 0 and 1.
pub fn topics_needed(effect: f64, options: &PowerOptions) -> Result<Option<usize>, StatsError> {
    options.check()?;
    if !effect.is_finite() {
        return Err(StatsError::Effect(effect));
    }
    let PowerOptions { significance, power } = *options;
    let enough =
        |topics| Design::new(topics, significance).is_some_and(|design| design.power(effect) >= power);
    let mut most = 2;
    while !enough(most) {
        most *= 2;
        if most > MOST_TOPICS || effect == 0.0 {
            return Ok(None);
        }
    }
    // Power grows with the number of queries, so the least number lies between the last one that was too small and
    // this one.
    let mut few = most / 2;
    while most - few > 1 {
        let middle = few + (most - few) / 2;
        if enough(middle) { most = middle } else { few = middle }
    }
    Ok(Some(most))
}

/// Returns the smallest effect (d_z, without its sign) that a paired t test over so many queries finds with the power.
/// `None` for fewer than two queries.
///
/// # Errors
/// Returns an error if the level or the power is not between 0 and 1.
pub fn detectable_effect(topics: usize, options: &PowerOptions) -> Result<Option<f64>, StatsError> {
    options.check()?;
    let Some(design) = Design::new(topics, options.significance) else { return Ok(None) };
    // A power below the level needs no effect.
    let found = root_of_increasing(|effect| {
        let power = if effect < 0.0 { 0.0 } else { design.power(effect) };
        power - options.power
    });
    Ok(found.map(|effect| effect.max(0.0)))
}

/// How many queries to judge, derived from an existing comparison.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TopicPlan {
    /// The number of queries needed for the requested power.
    pub needed: Option<usize>,
    /// The smallest difference that the existing queries find with that power, in the unit of the measure.
    pub detectable: Option<f64>,
    /// Why there is no plan.
    pub undefined: Option<Undefined>,
}

/// Returns the number of queries needed to find a mean difference of this size (in the unit of the measure). The
/// differences are assumed to vary as they do in the given comparison. The spread of few queries is itself uncertain:
/// that of 10 may be off by half.
///
/// # Errors
/// Returns an error if the two lists differ in length or are empty, a value or the difference is not finite, or
/// `options` is invalid.
pub fn plan_topics(
    baseline: &[f64],
    candidate: &[f64],
    difference: f64,
    options: &PowerOptions,
) -> Result<TopicPlan, StatsError> {
    options.check()?;
    if !difference.is_finite() {
        return Err(StatsError::Effect(difference));
    }
    let paired = Paired::of(baseline, candidate)?;
    let spread = paired.spread();
    let undefined = spread.err();
    // Not a number if the differences are too large to square.
    let spread = spread.ok().filter(|deviation| *deviation > 0.0);
    let needed =
        spread.map(|deviation| topics_needed(difference / deviation, options)).transpose()?.flatten();
    let detectable =
        detectable_effect(paired.n(), options)?.zip(spread).map(|(effect, deviation)| effect * deviation);
    Ok(TopicPlan { needed, detectable, undefined })
}

/// A paired t test that is still to be made.
struct Design {
    degrees: f64,
    root: f64,
    critical: f64,
}

impl Design {
    /// `None` for fewer than two queries.
    fn new(topics: usize, significance: f64) -> Option<Self> {
        let degrees = topics.checked_sub(1).filter(|degrees| *degrees > 0)? as f64;
        let critical = student::critical(significance / 2.0, degrees);
        Some(Self { degrees, root: (topics as f64).sqrt(), critical })
    }

    fn power(&self, effect: f64) -> f64 {
        let shift = effect * self.root;
        student::above_noncentral(self.critical, self.degrees, shift)
            + student::below(-self.critical, self.degrees, shift)
    }
}

/// Returns the least number of queries with an interval of this confidence: six at 95%.
///
/// With fewer, all values lie on one side of the truth too often: of six they do so once in 32.
pub fn least_topics(confidence: f64) -> usize {
    let mut topics = 2;
    while least_p_of_signs(topics) > 1.0 - confidence {
        topics += 1;
    }
    topics
}

/// Returns the least two-sided p of `differing` differences if each sign is random: two of the 2^k ways are the most
/// extreme. 1 without any difference.
pub(crate) fn least_p_of_signs(differing: usize) -> f64 {
    0.5_f64.powi(i32::try_from(differing).unwrap_or(i32::MAX).max(1) - 1)
}
