//! One system against the baseline: the comparison, a test, effect sizes, and what more topics would show.

use llull_stats::{
    Alternative, Correction, Direction, EffectSize, PairResult, PairResults, PairTest, PowerOptions,
    StatsError, Undefined, WilcoxonOptions, adjusted, cohen_d, cohen_dz, equivalence_test, hedges_g,
    paired_cliff_delta, paired_t_test, plan_topics, sign_test, wilcoxon_test,
};
use serde::Serialize;

use super::family::{draws, is_exact};
use super::{Compared, reason};
use crate::BaselineComparison;

/// One system against the baseline, and all that is known of the difference.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TestedComparison {
    /// The difference, its interval and what that decides.
    #[serde(flatten)]
    pub comparison: BaselineComparison,
    /// Whether the difference is significant.
    pub test: Test,
    /// How large it is, apart from how sure.
    pub effect: Effects,
    /// How many topics would show it.
    pub power: PowerAnalysis,
    /// Whether it is too small to matter, where that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub equivalence: Option<EquivalenceTest>,
}

/// The test of one comparison.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Test {
    /// Which test, two-sided.
    pub name: PairTest,
    /// How p was computed, in words; null when there is no topic.
    pub method: Option<String>,
    /// What the test looks at: t, the sum of the ranks of the wins, or the number of wins; absent where it is the
    /// mean difference, or does not exist.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistic: Option<f64>,
    /// p by itself; with Tukey's test, for all systems together. Null when there is none.
    pub p: Option<f64>,
    /// p corrected for the number of pairs in the family.
    pub p_adjusted: Option<f64>,
    /// How it was corrected.
    pub correction: Correction,
    /// How many topics.
    pub n: usize,
    /// Whether p is exact; absent of tests that never are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<bool>,
    /// How many permutations or resamples were drawn; absent where none were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draws: Option<usize>,
    /// Whether the corrected p is at or below the level.
    pub significant: bool,
    /// How the system is by what the test looks at, which may contradict the mean difference; absent without topics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    /// Why there is no p, or why it is 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What a narrow cell says of it.
    #[serde(skip)]
    pub(super) short: Option<&'static str>,
}

/// Effect sizes, above 0 when the system is better than the baseline. Intervals have the confidence of the comparison.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Effects {
    /// Cohen's d_z: the mean difference over the standard deviation of the differences.
    pub dz: Effect,
    /// Cohen's d: the mean difference over the pooled standard deviation of the values.
    pub d: Effect,
    /// Hedges' g: Cohen's d without its bias.
    pub g: Effect,
    /// Cliff's delta by topic: the share of wins less the share of losses.
    pub cliff_delta: Effect,
}

/// One effect size.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Effect {
    /// The effect size; null when it does not exist.
    pub value: Option<f64>,
    /// The lower end of its interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// Why it does not exist, or has no interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What a narrow cell says of it.
    #[serde(skip)]
    pub(super) short: Option<&'static str>,
}

/// What the spread of the differences says about how many topics to judge: of a paired t test, not corrected.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PowerAnalysis {
    /// How often the difference is to be found significant: 0.8.
    pub power: f64,
    /// At which level.
    pub significance: f64,
    /// How many topics that takes if the true difference is the one seen here; null when no number is known to.
    pub topics_needed: Option<usize>,
    /// The smallest true difference that as many topics as these find so often.
    pub detectable: Option<f64>,
    /// Why there is no such figure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Whether the difference lies within a margin of 0: two one-sided paired t tests.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EquivalenceTest {
    /// What difference would not matter, either way.
    pub margin: f64,
    /// The larger p of the two tests; null when there is none.
    pub p: Option<f64>,
    /// The same, corrected for the number of comparisons with the baseline.
    pub p_adjusted: Option<f64>,
    /// How it was corrected.
    pub correction: Correction,
    /// Whether the corrected p is at or below the level: then the two are equivalent within the margin. Null without a p.
    pub equivalent: Option<bool>,
    /// Why there is no p.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What a narrow cell says of that.
    #[serde(skip)]
    pub(super) short: Option<&'static str>,
    /// Whether the difference is the same on every topic, and the topics are two at least: then there is no p, but it is plain to see
    /// whether it lies within the margin.
    #[serde(skip)]
    pub(super) constant: bool,
}

impl Compared<'_> {
    /// Adds to each comparison with the baseline what the tests found. `compared` is every other system, in order.
    pub(super) fn tested(
        &self,
        compared: Vec<BaselineComparison>,
        results: Option<&PairResults>,
    ) -> Result<Vec<TestedComparison>, StatsError> {
        let others = (0..self.values.len()).filter(|other| *other != self.baseline);
        let mut tested = compared
            .into_iter()
            .zip(others)
            .map(|(comparison, other)| {
                let (baseline, candidate) = (&self.values[self.baseline], &self.values[other]);
                Ok(TestedComparison {
                    test: self.test(other, &comparison, results)?,
                    effect: Effects::of(baseline, candidate, comparison.confidence)?,
                    power: self.power(baseline, candidate, &comparison)?,
                    equivalence: self.equivalence(baseline, candidate)?,
                    comparison,
                })
            })
            .collect::<Result<Vec<_>, StatsError>>()?;
        self.correct_equivalence(&mut tested)?;
        Ok(tested)
    }

    fn test(
        &self,
        other: usize,
        comparison: &BaselineComparison,
        results: Option<&PairResults>,
    ) -> Result<Test, StatsError> {
        let is_it = |pair: &&PairResult| {
            [(pair.baseline, pair.candidate), (pair.candidate, pair.baseline)]
                .contains(&(self.baseline, other))
        };
        let result = results.and_then(|results| results.pairs.iter().find(is_it));
        let differing = comparison.wins + comparison.losses;
        let undefined = result.and_then(|result| result.undefined);
        Ok(Test {
            name: self.options.test,
            method: result.map(|result| result.method.to_string()),
            statistic: self.statistic(other)?,
            p: result.and_then(|result| result.p),
            p_adjusted: result.and_then(|result| result.adjusted),
            correction: results.map_or(self.options.correction, |results| results.correction),
            n: comparison.n,
            exact: result.map(|result| is_exact(&result.method)).filter(|_| self.may_be_exact()),
            draws: result.and_then(|result| draws(&result.method)),
            significant: result.is_some_and(|result| result.significant),
            direction: result.map(|result| match result.candidate == other {
                true => result.direction,
                false => result.direction.reversed(),
            }),
            reason: match result {
                Some(_) => reason(undefined, differing),
                None => Some("there are no topics".to_owned()),
            },
            short: match undefined {
                Some(undefined) => Some(short(undefined)),
                None => (differing == 0).then(|| short(Undefined::Identical)),
            },
        })
    }

    fn may_be_exact(&self) -> bool {
        matches!(self.options.test, PairTest::Permutation | PairTest::Wilcoxon | PairTest::Sign)
    }

    fn statistic(&self, other: usize) -> Result<Option<f64>, StatsError> {
        let (baseline, candidate) = (&self.values[self.baseline], &self.values[other]);
        if baseline.is_empty() {
            return Ok(None);
        }
        let both = Alternative::TwoSided;
        let tested = match self.options.test {
            PairTest::T => paired_t_test(baseline, candidate, both)?,
            PairTest::Wilcoxon => wilcoxon_test(baseline, candidate, &WilcoxonOptions::default())?,
            PairTest::Sign => sign_test(baseline, candidate, both)?,
            PairTest::Permutation | PairTest::Bootstrap | PairTest::Tukey => return Ok(None),
        };
        Ok(tested.statistic)
    }

    fn power(
        &self,
        baseline: &[f64],
        candidate: &[f64],
        comparison: &BaselineComparison,
    ) -> Result<PowerAnalysis, StatsError> {
        let options = PowerOptions { significance: self.options.significance, ..PowerOptions::default() };
        let none = |reason: &str| PowerAnalysis {
            power: options.power,
            significance: options.significance,
            topics_needed: None,
            detectable: None,
            reason: Some(reason.to_owned()),
        };
        let Some(difference) = comparison.mean_difference else { return Ok(none("there are no topics")) };
        let plan = plan_topics(baseline, candidate, difference, &options)?;
        Ok(match plan.undefined {
            Some(undefined) => none(&undefined.to_string()),
            None => PowerAnalysis {
                power: options.power,
                significance: options.significance,
                topics_needed: plan.needed,
                detectable: plan.detectable,
                reason: plan
                    .needed
                    .is_none()
                    .then(|| "no number of topics would show a difference of 0".to_owned()),
            },
        })
    }

    fn equivalence(
        &self,
        baseline: &[f64],
        candidate: &[f64],
    ) -> Result<Option<EquivalenceTest>, StatsError> {
        let Some(margin) = self.options.margin else { return Ok(None) };
        let tested = match equivalence_test(baseline, candidate, -margin, margin) {
            Ok(tested) => Some(tested),
            Err(StatsError::Empty) => None,
            Err(error) => return Err(error),
        };
        Ok(Some(EquivalenceTest {
            margin,
            p: tested.and_then(|tested| tested.p),
            p_adjusted: None,
            correction: self.options.correction,
            equivalent: None,
            short: tested.and_then(|tested| tested.undefined).map(short),
            constant: matches!(
                tested.and_then(|tested| tested.undefined),
                Some(Undefined::Identical | Undefined::NoSpread)
            ),
            reason: match tested {
                Some(tested) => tested.undefined.map(|undefined| undefined.to_string()),
                None => Some("there are no topics".to_owned()),
            },
        }))
    }

    /// Corrects for there being so many candidates, each of which may be called equivalent.
    fn correct_equivalence(&self, tested: &mut [TestedComparison]) -> Result<(), StatsError> {
        let all = || tested.iter().filter_map(|tested| tested.equivalence.as_ref()?.p);
        let mut corrected = adjusted(&all().collect::<Vec<_>>(), self.options.correction)?.into_iter();
        let with_p = tested.iter_mut().filter_map(|tested| tested.equivalence.as_mut());
        for equivalence in with_p.filter(|equivalence| equivalence.p.is_some()) {
            equivalence.p_adjusted = corrected.next();
            equivalence.equivalent = equivalence.p_adjusted.map(|p| p <= self.options.significance);
        }
        Ok(())
    }
}

impl Effects {
    fn of(baseline: &[f64], candidate: &[f64], confidence: f64) -> Result<Self, StatsError> {
        Ok(Self {
            dz: Effect::of(cohen_dz(baseline, candidate, confidence))?,
            d: Effect::of(cohen_d(baseline, candidate, confidence))?,
            g: Effect::of(hedges_g(baseline, candidate, confidence))?,
            cliff_delta: Effect::of(paired_cliff_delta(baseline, candidate, confidence))?,
        })
    }
}

impl Effect {
    fn of(effect: Result<EffectSize, StatsError>) -> Result<Self, StatsError> {
        let effect = match effect {
            Ok(effect) => effect,
            Err(StatsError::Empty) => {
                let reason = Some("there are no topics".to_owned());
                return Ok(Self { value: None, low: None, high: None, reason, short: None });
            }
            Err(error) => return Err(error),
        };
        Ok(Self {
            value: effect.value,
            low: effect.low,
            high: effect.high,
            reason: effect.undefined.map(|undefined| undefined.to_string()),
            short: effect.undefined.map(short),
        })
    }
}

fn short(undefined: Undefined) -> &'static str {
    match undefined {
        Undefined::TooFew { .. } => "too few",
        Undefined::Identical => "identical",
        Undefined::NoSpread => "no spread",
        Undefined::OutOfRange => "out of range",
    }
}
