//! Tests each system against the baseline.

use llull_stats::{
    EffectSize, PairResult, PairResults, PairTest, PowerOptions, StatsError, Undefined, adjusted, cohen_d,
    cohen_dz, equivalence_test, hedges_g, paired_cliff_delta, paired_t_test, plan_topics, sign_test,
    wilcoxon_test,
};

use super::compared_systems::ComparedSystems;
use super::family::{draws, is_exact};
use super::tested_comparison::{
    Effect, Effects, EquivalenceTest, NamedP, PowerAnalysis, Test, TestedComparison,
};
use super::undefined::{NO_QUERIES, reason, short};
use crate::comparison::BaselineComparison;

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
