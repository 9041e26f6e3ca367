//! The comparison of many systems over the same queries.
//!
//! It compares every pair, or each system with a baseline, and finds pairs that cannot be significant whatever their
//! values, because there are too few draws or queries.

use rayon::prelude::*;
use serde::Serialize;

use super::paired_tests::{paired_t_test, resampled, sign_test, wilcoxon_test};
use super::permutation::{PermutationOptions, permute_pairs, permuted_ranges};
use super::test_result::{Direction, Method, PairOptions, PairTest, TestOutcome};
use crate::error::{StatsError, Undefined};
use crate::multiple_testing::{Correction, adjusted};
use crate::paired::Paired;
use crate::power::least_p_of_signs;

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

/// The result for one pair of systems.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PairResult {
    /// The position of the baseline among the systems.
    pub baseline: usize,
    /// The position of the candidate.
    pub candidate: usize,
    /// Candidate minus baseline, the mean over queries.
    pub mean: f64,
    /// Which of the two the test favours: by wins against losses (sign test), by the ranks of the wins against those
    /// of the losses (Wilcoxon), else by the mean.
    pub direction: Direction,
    /// How p was computed.
    pub method: Method,
    /// The two-sided p of this pair alone (for Tukey's test that of the family); `None` if it is undefined.
    pub p: Option<f64>,
    /// The p corrected for the number of pairs that have one.
    pub adjusted: Option<f64>,
    /// Whether the corrected p is at or below the level.
    pub significant: bool,
    /// Why there is no p.
    pub undefined: Option<Undefined>,
}

/// The results of a comparison of many systems.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairResults {
    /// The number of queries.
    pub n: usize,
    /// The number of systems.
    pub systems: usize,
    /// The test.
    pub test: PairTest,
    /// How p were corrected; `none` for Tukey's test.
    pub correction: Correction,
    /// The level of significance.
    pub significance: f64,
    /// The number of pairs that could not be significant whatever their values: all, or those whose p is drawn while
    /// others are exact.
    pub out_of_reach: usize,
    /// The least number of draws with which these pairs could be significant, if there were too few draws: the least p
    /// of `draws` is 1 / (1 + draws), and Holm's correction multiplies it with the number of pairs.
    pub draws_needed: Option<usize>,
    /// The least number of queries with which these pairs could be significant, if there were too few queries: the
    /// least p of k signs or ranks is 2^(1 - k), where k is the number of queries on which a pair differs. By the
    /// bootstrap test the least p of n queries is n^(1 - n), whether the pair differs on them or not.
    pub topics_needed: Option<usize>,
    /// The least p that any of the pairs could have, before correction; `None` if no pair has a p.
    pub least_p: Option<f64>,
    /// The largest number of queries on which any pair differs.
    pub most_differing: usize,
    /// The pairs, in the order of baseline and then candidate.
    pub pairs: Vec<PairResult>,
}

/// Pairs that cannot be significant whatever their values, with the reason.
#[derive(Default)]
struct OutOfReach {
    pub(super) pairs: usize,
    draws_needed: Option<usize>,
    pub(super) topics_needed: Option<usize>,
}

impl OutOfReach {
    /// `family` holds each pair with a p and the number of queries, of `n`, on which it differs.
    pub(super) fn of(
        family: &[(Method, usize)],
        n: usize,
        correction: Correction,
        options: &PairOptions,
    ) -> Self {
        // All pairs being identical is a better reason than differences on too few queries.
        if family.iter().all(|(_, differing)| *differing == 0) {
            return Self::default();
        }
        let drawn: Vec<(Method, usize)> = family
            .iter()
            .filter(|(method, differing)| method.is_drawn() && *differing > 0)
            .copied()
            .collect();
        let level = options.significance;
        // If some exact p can be significant, at best all of them are, and only the others remain to correct for.
        let (pairs, factor) = match (
            factor_beyond(family, n, correction, level),
            factor_beyond(&drawn, n, correction, level),
        ) {
            (Some(factor), _) => (family.len(), factor),
            (None, Some(factor)) => (drawn.len(), factor),
            (None, None) => return Self::default(),
        };
        // More draws are useless if the queries themselves are too few.
        let by_topics: fn(usize) -> f64 = match drawn.first() {
            None => least_p_of_signs,
            Some((Method::Bootstrap { .. }, _)) if factor * least_p_of_resamples(n) > level => {
                least_p_of_resamples
            }
            Some(_) => {
                let draws_needed = Some((factor / level).ceil() as usize);
                return Self { pairs, draws_needed, topics_needed: None };
            }
        };
        let reached = |topics: &usize| factor * by_topics(*topics) <= level;
        Self { pairs, draws_needed: None, topics_needed: (1..=MOST_SIGNS).find(reached) }
    }
}

/// The factor that correction multiplies the least p of these pairs with, if it lies above the level after that.
fn factor_beyond(family: &[(Method, usize)], n: usize, correction: Correction, level: f64) -> Option<f64> {
    // Holm's least corrected p counts all pairs; the least p of the others is uncorrected.
    let factor = if correction == Correction::Holm { family.len() } else { 1 } as f64;
    let least = family.iter().map(|(method, differing)| least_p(method, n, *differing)).reduce(f64::min)?;
    (factor * least > level).then_some(factor)
}

/// 2^(1 - n) is 0 above this n.
const MOST_SIGNS: usize = 1075;

/// Returns the least p of a pair that differs on so many of n queries, whatever the differences are.
fn least_p(method: &Method, n: usize, differing: usize) -> f64 {
    let of_draws = |draws: usize| 1.0 / (1.0 + draws as f64);
    match method {
        _ if differing == 0 => 1.0,
        Method::RandomFlips { permutations, .. } | Method::RandomRows { permutations, .. } => {
            of_draws(*permutations)
        }
        Method::Bootstrap { resamples, .. } => of_draws(*resamples).max(least_p_of_resamples(n)),
        Method::ExactFlips { .. } | Method::ExactRanks | Method::Binomial => least_p_of_signs(differing),
        Method::StudentT { .. } | Method::Normal => 0.0,
    }
}

/// The share of resamples of n queries that draw one of them n times: those have an infinite t.
fn least_p_of_resamples(n: usize) -> f64 {
    let n = n as f64;
    n.powf(1.0 - n)
}
