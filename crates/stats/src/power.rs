//! Power: how many topics it takes to see a difference.
//!
//! Of the paired t test, exactly, by the noncentral t distribution (Cohen, Statistical Power Analysis for the
//! Behavioral Sciences, 1988; for retrieval: Sakai, Topic set size design, Information Retrieval Journal 19(3),
//! 2016). No simulation is needed, and the permutation test has nearly the same power (Smucker, Allan and
//! Carterette, CIKM 2007). `statsmodels.stats.power.TTestPower` gives the same.

use serde::Serialize;

use crate::distribution::{noncentral, root_of_increasing, student};
use crate::error::StatsError;
use crate::significance::{Alternative, Paired, Undefined};

/// Nobody judges more topics.
const MOST_TOPICS: usize = 100_000_000;

/// What is asked of a test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PowerOptions {
    /// The level of significance; 0.05 unless changed.
    pub significance: f64,
    /// How often a difference of the size is to be found significant; 0.8 unless changed.
    pub power: f64,
    /// What would count; either side unless changed.
    pub alternative: Alternative,
}

impl Default for PowerOptions {
    fn default() -> Self {
        Self { significance: 0.05, power: 0.8, alternative: Alternative::TwoSided }
    }
}

impl PowerOptions {
    fn check(&self) -> Result<(), StatsError> {
        StatsError::unless_significance(self.significance)?;
        if self.power > 0.0 && self.power < 1.0 { Ok(()) } else { Err(StatsError::Power(self.power)) }
    }
}

/// How often a paired t test over so many topics is significant when the true effect is so large, in standard
/// deviations of the differences (d_z, above 0 when the candidate is better). `None` for fewer than two topics.
///
/// ```
/// use llull_stats::{Alternative, power_of_t};
///
/// // statsmodels 0.15.0: TTestPower().power(0.5, 30, 0.05)
/// assert!(power_of_t(0.5, 30, 0.05, Alternative::TwoSided)?.is_some_and(|power| (power - 0.7539647).abs() < 1e-7));
/// # Ok::<(), llull_stats::StatsError>(())
/// ```
///
/// # Errors
/// When the effect is not finite or the level does not lie between 0 and 1.
pub fn power_of_t(
    effect: f64,
    topics: usize,
    significance: f64,
    alternative: Alternative,
) -> Result<Option<f64>, StatsError> {
    StatsError::unless_significance(significance)?;
    if !effect.is_finite() {
        return Err(StatsError::Effect(effect));
    }
    Ok(Design::new(topics, significance, alternative).map(|design| design.power(effect)))
}

/// How many topics it takes for the power when the true effect (d_z) is so large; `None` when no number of topics,
/// or more than a hundred million, would do: for an effect of 0, or on the wrong side of a one-sided test.
///
/// # Errors
/// When the effect is not finite, or the level or the power does not lie between 0 and 1.
pub fn topics_needed(effect: f64, options: &PowerOptions) -> Result<Option<usize>, StatsError> {
    options.check()?;
    if !effect.is_finite() {
        return Err(StatsError::Effect(effect));
    }
    let PowerOptions { significance, power, alternative } = *options;
    let enough = |topics| {
        Design::new(topics, significance, alternative).is_some_and(|design| design.power(effect) >= power)
    };
    let mut most = 2;
    while !enough(most) {
        most *= 2;
        if most > MOST_TOPICS || alternative.size(effect) <= 0.0 {
            return Ok(None);
        }
    }
    // Power grows with topics, so the least number lies between the last that was too few and this one.
    let mut few = most / 2;
    while most - few > 1 {
        let middle = few + (most - few) / 2;
        if enough(middle) { most = middle } else { few = middle }
    }
    Ok(Some(most))
}

/// The smallest effect (d_z, without its sign) that a paired t test over so many topics finds with the power;
/// `None` for fewer than two topics.
///
/// # Errors
/// When the level or the power does not lie between 0 and 1.
pub fn detectable_effect(topics: usize, options: &PowerOptions) -> Result<Option<f64>, StatsError> {
    options.check()?;
    let alternative = match options.alternative {
        Alternative::TwoSided => Alternative::TwoSided,
        Alternative::Greater | Alternative::Less => Alternative::Greater,
    };
    let Some(design) = Design::new(topics, options.significance, alternative) else { return Ok(None) };
    // A power below the level is there already without an effect.
    let found = root_of_increasing(|effect| {
        let power =
            if effect < 0.0 && alternative == Alternative::TwoSided { 0.0 } else { design.power(effect) };
        power - options.power
    });
    Ok(found.map(|effect| effect.max(0.0)))
}

/// What a comparison at hand says about how many topics to judge.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TopicPlan {
    /// How many topics the comparison has.
    pub n: usize,
    /// The standard deviation of the differences; `None` for one topic.
    pub deviation: Option<f64>,
    /// The difference to see, in the unit of the measure.
    pub difference: f64,
    /// It in standard deviations of the differences: d_z.
    pub effect: Option<f64>,
    /// The power of these topics for that difference.
    pub power: Option<f64>,
    /// How many topics are needed for the power that was asked for.
    pub needed: Option<usize>,
    /// The smallest difference that these topics show with that power, in the unit of the measure.
    pub detectable: Option<f64>,
    /// What was asked for.
    pub options: PowerOptions,
    /// Why there is no plan.
    pub undefined: Option<Undefined>,
}

/// How many topics it takes to see a mean difference of this size (in the unit of the measure), when the
/// differences spread as they do in the comparison at hand. The spread of few topics is itself unsure: from 10 of
/// them it may be off by half.
///
/// # Errors
/// When the two have different lengths or no value, a value or the difference is not finite, or the options cannot
/// be.
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
    let n = paired.n();
    let deviation = paired.deviation();
    let undefined = match deviation {
        None => Some(Undefined::TooFew { n, needed: 2 }),
        Some(0.0) if paired.differing() == 0 => Some(Undefined::Identical),
        Some(0.0) => Some(Undefined::NoSpread),
        Some(_) => None,
    };
    let spread = deviation.filter(|deviation| *deviation > 0.0);
    let effect = spread.map(|deviation| difference / deviation);
    let PowerOptions { significance, alternative, .. } = *options;
    let power = effect.map(|effect| power_of_t(effect, n, significance, alternative)).transpose()?.flatten();
    let needed = effect.map(|effect| topics_needed(effect, options)).transpose()?.flatten();
    let detectable = detectable_effect(n, options)?.zip(spread).map(|(effect, deviation)| effect * deviation);
    let options = *options;
    Ok(TopicPlan { n, deviation, difference, effect, power, needed, detectable, options, undefined })
}

/// A test that is yet to be made.
struct Design {
    degrees: f64,
    root: f64,
    critical: f64,
    alternative: Alternative,
}

impl Design {
    /// `None` for fewer than two topics.
    fn new(topics: usize, significance: f64, alternative: Alternative) -> Option<Self> {
        let degrees = topics.checked_sub(1).filter(|degrees| *degrees > 0)? as f64;
        let tail = if alternative == Alternative::TwoSided { significance / 2.0 } else { significance };
        let critical = student::critical(tail, degrees);
        Some(Self { degrees, root: (topics as f64).sqrt(), critical, alternative })
    }

    fn power(&self, effect: f64) -> f64 {
        let shift = effect * self.root;
        let above = || noncentral::above(self.critical, self.degrees, shift);
        let below = || noncentral::below(-self.critical, self.degrees, shift);
        match self.alternative {
            Alternative::TwoSided => above() + below(),
            Alternative::Greater => above(),
            Alternative::Less => below(),
        }
    }
}
