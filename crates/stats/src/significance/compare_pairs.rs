//! The comparison of many systems over the same queries.
//!
//! It compares every pair, or each system with a baseline.

use rayon::prelude::*;

use super::bootstrap_test::resampled;
use super::method::Method;
use super::out_of_reach::{OutOfReach, least_p};
use super::pair_results::{PairResult, PairResults};
use super::pair_test::{PairOptions, PairTest};
use super::permutation::permute_pairs;
use super::permutation_options::PermutationOptions;
use super::sign::sign_test;
use super::student::paired_t_test;
use super::test_result::{Direction, TestOutcome};
use super::tukey::permuted_ranges;
use super::wilcoxon::wilcoxon_test;
use crate::error::StatsError;
use crate::multiple_testing::{Correction, adjusted};
use crate::paired::Paired;

/// Compares every pair of `systems`: each is a list of values by query, all over the same queries in the same order.
/// The first of a pair is its baseline.
///
/// The permutation test flips the same queries for all pairs, so that 100 systems cost little more than one pair, and
/// the p of each pair is the same as that of [`permutation_test`](crate::permutation_test) with that seed. All pairs of
/// many systems with Holm's correction need more draws than the default of 10,000: see
/// [`draws_needed`](PairResults::draws_needed).
///
/// ```
/// use llull_core::Seed;
/// use llull_stats::{PairOptions, PairTest, compare_all};
///
/// let systems = [
///     [0.1, 0.2, 0.3, 0.2, 0.1, 0.3, 0.2],
///     [0.4, 0.6, 0.7, 0.5, 0.6, 0.9, 0.5],
///     [0.4, 0.5, 0.8, 0.5, 0.6, 0.8, 0.6],
/// ];
/// let compared = compare_all(&systems, &PairOptions::new(PairTest::Permutation, Seed(1)))?;
/// let significant: Vec<bool> = compared.pairs.iter().map(|pair| pair.significant).collect();
/// assert_eq!(significant, [true, true, false]);
/// # Ok::<(), llull_stats::StatsError>(())
/// ```
///
/// # Errors
/// Returns an error if systems have different numbers of values or none, a value is not finite, or `options` is
/// invalid.
pub fn compare_all<S: AsRef<[f64]> + Sync>(
    systems: &[S],
    options: &PairOptions,
) -> Result<PairResults, StatsError> {
    let pairs = (0..systems.len()).flat_map(|a| (a + 1..systems.len()).map(move |b| (a, b)));
    compare(systems, &pairs.collect::<Vec<_>>(), options)
}

/// Compares each of the other `systems` with the one at position `baseline`. The correction is for that many pairs
/// only; Tukey's test still permutes all systems.
///
/// # Errors
/// Returns an error if there is no such system, systems have different numbers of values or none, a value is not
/// finite, or `options` is invalid.
pub fn compare_with<S: AsRef<[f64]> + Sync>(
    systems: &[S],
    baseline: usize,
    options: &PairOptions,
) -> Result<PairResults, StatsError> {
    if baseline >= systems.len() {
        return Err(StatsError::NoSystem { system: baseline, systems: systems.len() });
    }
    let others = (0..systems.len()).filter(|other| *other != baseline);
    compare(systems, &others.map(|other| (baseline, other)).collect::<Vec<_>>(), options)
}

fn compare<S: AsRef<[f64]> + Sync>(
    systems: &[S],
    pairs: &[(usize, usize)],
    options: &PairOptions,
) -> Result<PairResults, StatsError> {
    StatsError::unless_significance(options.significance)?;
    let n = topics(systems)?;
    let outcomes = outcomes(systems, pairs, options)?;
    let correction = if options.test == PairTest::Tukey { Correction::None } else { options.correction };
    let differences = pairs.iter().map(|pair| Ok(Difference::of(&paired(systems, *pair)?)));
    let differences = differences.collect::<Result<Vec<_>, StatsError>>()?;
    let with_p = outcomes.iter().zip(&differences).filter(|(outcome, _)| outcome.p.is_ok());
    let with_p: Vec<(Method, usize)> =
        with_p.map(|(outcome, difference)| (outcome.method, difference.differing)).collect();
    let OutOfReach { pairs: out_of_reach, draws_needed, topics_needed } =
        OutOfReach::of(&with_p, n, correction, options);
    let most_differing = differences.iter().map(|difference| difference.differing).max().unwrap_or_default();
    let least_p = with_p.iter().map(|(method, differing)| least_p(method, n, *differing)).reduce(f64::min);
    let family: Vec<f64> = outcomes.iter().filter_map(|outcome| outcome.p.ok()).collect();
    let mut corrected = adjusted(&family, correction)?.into_iter();
    let result = |((pair, outcome), difference): ((&(usize, usize), TestOutcome), &Difference)| {
        let TestOutcome { method, p, direction } = outcome;
        let adjusted = if p.is_ok() { corrected.next() } else { None };
        PairResult {
            baseline: pair.0,
            candidate: pair.1,
            mean: difference.mean,
            direction: direction.unwrap_or_else(|| Direction::of(difference.mean)),
            method,
            p: p.ok(),
            adjusted,
            significant: adjusted.is_some_and(|p| p <= options.significance),
            undefined: p.err(),
        }
    };
    let pairs = pairs.iter().zip(outcomes).zip(&differences).map(result).collect();
    let PairOptions { test, significance, .. } = *options;
    Ok(PairResults {
        n,
        systems: systems.len(),
        test,
        correction,
        significance,
        out_of_reach,
        draws_needed,
        topics_needed,
        least_p,
        most_differing,
        pairs,
    })
}

/// The part of a pair's differences that results need.
struct Difference {
    mean: f64,
    differing: usize,
}

impl Difference {
    fn of(paired: &Paired) -> Self {
        Self { mean: paired.mean(), differing: paired.differing() }
    }
}

/// The number of queries, which is the same for all systems.
fn topics<S: AsRef<[f64]>>(systems: &[S]) -> Result<usize, StatsError> {
    let expected = systems.first().map_or(0, |values| values.as_ref().len());
    if expected == 0 {
        return Err(StatsError::Empty);
    }
    for (system, values) in systems.iter().enumerate() {
        let found = values.as_ref().len();
        if found != expected {
            return Err(StatsError::Ragged { system, found, expected });
        }
        StatsError::unless_finite(values.as_ref())?;
    }
    Ok(expected)
}

fn paired<S: AsRef<[f64]>>(systems: &[S], (a, b): (usize, usize)) -> Result<Paired, StatsError> {
    Paired::of(systems[a].as_ref(), systems[b].as_ref())
}

fn outcomes<S: AsRef<[f64]> + Sync>(
    systems: &[S],
    pairs: &[(usize, usize)],
    options: &PairOptions,
) -> Result<Vec<TestOutcome>, StatsError> {
    let PairOptions { test, draws, seed, .. } = *options;
    let permutation = PermutationOptions { permutations: draws, seed };
    match test {
        PairTest::Permutation => {
            let tested = permute_pairs(systems, pairs, &permutation)?;
            Ok(tested.into_iter().map(|(method, p)| TestOutcome::of_means(method, Ok(p))).collect())
        }
        PairTest::Tukey => {
            permutation.check()?;
            let method = Method::RandomRows { permutations: draws, systems: systems.len(), seed };
            let tested = permuted_ranges(systems, pairs, draws, seed);
            Ok(tested.into_iter().map(|p| TestOutcome::of_means(method, Ok(p))).collect())
        }
        PairTest::T => each(systems, pairs, |a, b| paired_t_test(a, b).map(|test| test.outcome())),
        PairTest::Wilcoxon => each(systems, pairs, |a, b| wilcoxon_test(a, b).map(|test| test.outcome())),
        PairTest::Sign => each(systems, pairs, |a, b| sign_test(a, b).map(|test| test.outcome())),
        PairTest::Bootstrap => {
            let method = Method::Bootstrap { resamples: draws, seed };
            let paired = pairs.iter().map(|pair| paired(systems, *pair));
            let paired = paired.collect::<Result<Vec<_>, StatsError>>()?;
            let p = resampled(&paired.iter().collect::<Vec<_>>(), draws, seed)?;
            Ok(p.into_iter().map(|p| TestOutcome::of_means(method, p)).collect())
        }
    }
}

fn each<S: AsRef<[f64]> + Sync>(
    systems: &[S],
    pairs: &[(usize, usize)],
    test: impl Fn(&[f64], &[f64]) -> Result<TestOutcome, StatsError> + Sync,
) -> Result<Vec<TestOutcome>, StatsError> {
    pairs.par_iter().map(|(a, b)| test(systems[*a].as_ref(), systems[*b].as_ref())).collect()
}
