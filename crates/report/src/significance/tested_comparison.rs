//! Tests of systems against the baseline: effect sizes and power.

use llull_stats::{
    Correction, Direction, EffectSize, PairResult, PairResults, PairTest, PowerOptions, StatsError,
    Undefined, adjusted, cohen_d, cohen_dz, equivalence_test, hedges_g, paired_cliff_delta, paired_t_test,
    plan_topics, sign_test, wilcoxon_test,
};
use serde::Serialize;
use serde::ser::{Error, Serializer};

use super::family::{ComparedSystems, draws, is_exact};
use super::sentences::{NO_QUERIES, reason, short};
use crate::comparison::BaselineComparison;

/// One system against the baseline, with all figures of the difference.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TestedComparison {
    /// The difference, its interval and the finding.
    #[serde(flatten, serialize_with = "without_p")]
    pub comparison: BaselineComparison,
    /// Every p of this difference, each under the name of its test.
    pub p_by_test: Vec<NamedP>,
    /// Whether the difference is significant.
    pub test: Test,
    /// How large it is, apart from how sure.
    pub effect: Effects,
    /// How many queries would show it.
    pub power: PowerAnalysis,
    /// Whether it is too small to matter; absent if no margin was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub equivalence: Option<EquivalenceTest>,
}

/// A p and the test that it is of.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NamedP {
    /// The test: one of [`PairTest`], or `bootstrap_interval`, which is the p that belongs to the interval.
    pub test: String,
    /// p by itself; null if it is undefined.
    pub p: Option<f64>,
    /// p corrected for the number of pairs in the family; null if it is not corrected.
    pub p_adjusted: Option<f64>,
}

impl NamedP {
    /// The p of the test and of the interval.
    pub(super) fn of(comparison: &BaselineComparison, test: &Test) -> Vec<Self> {
        let tested = Self { test: test.name.to_string(), p: test.p, p_adjusted: test.p_adjusted };
        vec![tested, Self { test: "bootstrap_interval".to_owned(), p: comparison.p, p_adjusted: None }]
    }
}

/// The test of one comparison.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Test {
    /// Which test, two-sided.
    pub name: PairTest,
    /// How p was computed, in words; null if there is no query.
    pub method: Option<String>,
    /// The test's statistic: t, the sum of the ranks of the wins, or the number of wins; absent if it is the mean
    /// difference, or undefined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistic: Option<f64>,
    /// p by itself; with Tukey's test, for all systems together. Null if it is undefined.
    pub p: Option<f64>,
    /// p corrected for the number of pairs in the family.
    pub p_adjusted: Option<f64>,
    /// How it was corrected.
    pub correction: Correction,
    /// How many queries.
    pub n: usize,
    /// Whether p is exact; absent of tests that never are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<bool>,
    /// How many permutations or resamples were drawn; absent where none were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draws: Option<usize>,
    /// Whether the corrected p is at or below the level.
    pub significant: bool,
    /// The direction by the test's statistic, which may contradict the mean difference; absent without queries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    /// Why there is no p, or why it is 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The same in a word or two, for a narrow cell.
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
    /// The same in a word or two, for a narrow cell.
    #[serde(skip)]
    pub(super) short: Option<&'static str>,
}

/// Estimates from the spread of the differences how many queries to judge, for a paired t test, not corrected.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PowerAnalysis {
    /// How often the difference is to be found significant: 0.8.
    pub power: f64,
    /// At which level.
    pub significance: f64,
    /// How many queries are enough if the true difference is the one seen here; null if no number is.
    pub topics_needed: Option<usize>,
    /// The smallest true difference that this number of queries finds so often.
    pub detectable: Option<f64>,
    /// Why there is no such figure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Whether the difference lies within a margin of 0: two one-sided paired t tests.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EquivalenceTest {
    /// The largest difference that would not matter, in either direction.
    pub margin: f64,
    /// The larger p of the two tests; null if it is undefined.
    pub p: Option<f64>,
    /// The same, corrected for the number of comparisons with the baseline.
    pub p_adjusted: Option<f64>,
    /// How it was corrected.
    pub correction: Correction,
    /// Whether the corrected p is at or below the level: then the two are equivalent within the margin. Null
    /// without a p.
    pub equivalent: Option<bool>,
    /// Why there is no p.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The same in a word or two, for a narrow cell.
    #[serde(skip)]
    pub(super) short: Option<&'static str>,
    /// Whether the difference is the same on every query, with two queries or more. Then there is no p, but whether the
    /// difference lies within the margin is plain.
    #[serde(skip)]
    pub(super) constant: bool,
}

/// A comparison without its `p`, which would be ambiguous next to the p of a test, and without the number of queries
/// that `power` has.
fn without_p<S: Serializer>(comparison: &BaselineComparison, serializer: S) -> Result<S::Ok, S::Error> {
    let fields = serde_json::to_value(comparison).map_err(S::Error::custom)?;
    let fields = fields.as_object().into_iter().flatten();
    serializer.collect_map(fields.filter(|(name, _)| !["p", "queries_needed"].contains(&name.as_str())))
}

/// Adds the test results to each comparison with the baseline. `compared` holds every other system, in order.
pub(super) fn tested_comparisons(
    systems: &ComparedSystems<'_>,
    compared: Vec<BaselineComparison>,
    results: Option<&PairResults>,
) -> Result<Vec<TestedComparison>, StatsError> {
    let others = (0..systems.values.len()).filter(|other| *other != systems.baseline);
    let mut tested = compared
        .into_iter()
        .zip(others)
        .map(|(comparison, other)| {
            let (baseline, candidate) = (&systems.values[systems.baseline], &systems.values[other]);
            let test = test(systems, other, &comparison, results)?;
            Ok(TestedComparison {
                p_by_test: NamedP::of(&comparison, &test),
                test,
                effect: effects(baseline, candidate, comparison.confidence)?,
                power: power(systems, baseline, candidate, &comparison)?,
                equivalence: equivalence(systems, baseline, candidate)?,
                comparison,
            })
        })
        .collect::<Result<Vec<_>, StatsError>>()?;
    correct_equivalence(systems, &mut tested)?;
    Ok(tested)
}

fn test(
    systems: &ComparedSystems<'_>,
    other: usize,
    comparison: &BaselineComparison,
    results: Option<&PairResults>,
) -> Result<Test, StatsError> {
    let is_it = |pair: &&PairResult| {
        [(pair.baseline, pair.candidate), (pair.candidate, pair.baseline)]
            .contains(&(systems.baseline, other))
    };
    let result = results.and_then(|results| results.pairs.iter().find(is_it));
    let differing = comparison.wins + comparison.losses;
    let undefined = result.and_then(|result| result.undefined);
    Ok(Test {
        name: systems.options.test,
        method: result.map(|result| result.method.to_string()),
        statistic: statistic(systems, other)?,
        p: result.and_then(|result| result.p),
        p_adjusted: result.and_then(|result| result.adjusted),
        correction: results.map_or(systems.options.correction, |results| results.correction),
        n: comparison.n,
        exact: result.map(|result| is_exact(&result.method)).filter(|_| may_be_exact(systems)),
        draws: result.and_then(|result| draws(&result.method)),
        significant: result.is_some_and(|result| result.significant),
        direction: result.map(|result| match result.candidate == other {
            true => result.direction,
            false => result.direction.reversed(),
        }),
        reason: match result {
            Some(_) => reason(undefined, differing),
            None => Some(NO_QUERIES.to_owned()),
        },
        short: match undefined {
            Some(undefined) => Some(short(undefined)),
            None => (differing == 0).then(|| short(Undefined::Identical)),
        },
    })
}

fn may_be_exact(systems: &ComparedSystems<'_>) -> bool {
    matches!(systems.options.test, PairTest::Permutation | PairTest::Wilcoxon | PairTest::Sign)
}

fn statistic(systems: &ComparedSystems<'_>, other: usize) -> Result<Option<f64>, StatsError> {
    let (baseline, candidate) = (&systems.values[systems.baseline], &systems.values[other]);
    if baseline.is_empty() {
        return Ok(None);
    }
    let tested = match systems.options.test {
        PairTest::T => paired_t_test(baseline, candidate)?,
        PairTest::Wilcoxon => wilcoxon_test(baseline, candidate)?,
        PairTest::Sign => sign_test(baseline, candidate)?,
        PairTest::Permutation | PairTest::Bootstrap | PairTest::Tukey => return Ok(None),
    };
    Ok(tested.statistic)
}

fn power(
    systems: &ComparedSystems<'_>,
    baseline: &[f64],
    candidate: &[f64],
    comparison: &BaselineComparison,
) -> Result<PowerAnalysis, StatsError> {
    let options = PowerOptions { significance: systems.options.significance, ..PowerOptions::default() };
    let none = |reason: &str| PowerAnalysis {
        power: options.power,
        significance: options.significance,
        topics_needed: None,
        detectable: None,
        reason: Some(reason.to_owned()),
    };
    let Some(difference) = comparison.mean_difference else { return Ok(none(NO_QUERIES)) };
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
                .then(|| "no number of queries would show a difference of 0".to_owned()),
        },
    })
}

fn equivalence(
    systems: &ComparedSystems<'_>,
    baseline: &[f64],
    candidate: &[f64],
) -> Result<Option<EquivalenceTest>, StatsError> {
    let Some(margin) = systems.options.margin else { return Ok(None) };
    let tested = match equivalence_test(baseline, candidate, -margin, margin) {
        Ok(tested) => Some(tested),
        Err(StatsError::Empty) => None,
        Err(error) => return Err(error),
    };
    Ok(Some(EquivalenceTest {
        margin,
        p: tested.and_then(|tested| tested.p),
        p_adjusted: None,
        correction: systems.options.correction,
        equivalent: None,
        short: tested.and_then(|tested| tested.undefined).map(short),
        constant: matches!(
            tested.and_then(|tested| tested.undefined),
            Some(Undefined::Identical | Undefined::NoSpread)
        ),
        reason: match tested {
            Some(tested) => tested.undefined.map(|undefined| undefined.to_string()),
            None => Some(NO_QUERIES.to_owned()),
        },
    }))
}

/// Corrects for the number of candidates, each of which may be called equivalent.
fn correct_equivalence(
    systems: &ComparedSystems<'_>,
    tested: &mut [TestedComparison],
) -> Result<(), StatsError> {
    let all = || tested.iter().filter_map(|tested| tested.equivalence.as_ref()?.p);
    let mut corrected = adjusted(&all().collect::<Vec<_>>(), systems.options.correction)?.into_iter();
    let with_p = tested.iter_mut().filter_map(|tested| tested.equivalence.as_mut());
    for equivalence in with_p.filter(|equivalence| equivalence.p.is_some()) {
        equivalence.p_adjusted = corrected.next();
        equivalence.equivalent = equivalence.p_adjusted.map(|p| p <= systems.options.significance);
    }
    Ok(())
}
fn effects(baseline: &[f64], candidate: &[f64], confidence: f64) -> Result<Effects, StatsError> {
    Ok(Effects {
        dz: effect(cohen_dz(baseline, candidate, confidence))?,
        d: effect(cohen_d(baseline, candidate, confidence))?,
        g: effect(hedges_g(baseline, candidate, confidence))?,
        cliff_delta: effect(paired_cliff_delta(baseline, candidate, confidence))?,
    })
}

fn effect(size: Result<EffectSize, StatsError>) -> Result<Effect, StatsError> {
    let size = match size {
        Ok(size) => size,
        Err(StatsError::Empty) => {
            let reason = Some(NO_QUERIES.to_owned());
            return Ok(Effect { value: None, low: None, high: None, reason, short: None });
        }
        Err(error) => return Err(error),
    };
    Ok(Effect {
        value: size.value,
        low: size.low,
        high: size.high,
        reason: size.undefined.map(|undefined| undefined.to_string()),
        short: size.undefined.map(short),
    })
}
