//! Many systems over the same topics: every pair, or each against a baseline.

use std::fmt;
use std::str::FromStr;

use llull_core::Seed;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::bootstrap::resampled;
use super::paired::Paired;
use super::permutation::{PermutationOptions, permute_pairs};
use super::result::{Alternative, Direction, Method, Tested, Undefined};
use super::sign::sign_test;
use super::student::paired_t_test;
use super::tukey::permuted_ranges;
use super::wilcoxon::{WilcoxonOptions, wilcoxon_test};
use crate::bootstrap::least_of_signs;
use crate::error::StatsError;
use crate::multiplicity::{Correction, adjusted};

/// Which test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PairTest {
    /// [`permutation_test`](crate::permutation_test): sign flips.
    #[default]
    Permutation,
    /// [`paired_t_test`](crate::paired_t_test).
    T,
    /// [`wilcoxon_test`](crate::wilcoxon_test).
    Wilcoxon,
    /// [`sign_test`](crate::sign_test).
    Sign,
    /// [`bootstrap_test`](crate::bootstrap_test): Sakai's.
    Bootstrap,
    /// Randomised Tukey HSD, which permutes all systems together (Carterette, TOIS 30(1), 2012): its p hold for the
    /// whole family of systems already, whichever pairs are looked at.
    Tukey,
}

impl PairTest {
    /// All of them, the default first.
    pub const ALL: [Self; 6] =
        [Self::Permutation, Self::T, Self::Wilcoxon, Self::Sign, Self::Bootstrap, Self::Tukey];
}

impl fmt::Display for PairTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Permutation => "permutation",
            Self::T => "t",
            Self::Wilcoxon => "wilcoxon",
            Self::Sign => "sign",
            Self::Bootstrap => "bootstrap",
            Self::Tukey => "tukey",
        })
    }
}

/// A text that names no test.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no test: use permutation, t, wilcoxon, sign, bootstrap or tukey")]
pub struct UnknownTest(String);

impl FromStr for PairTest {
    type Err = UnknownTest;

    fn from_str(text: &str) -> Result<Self, UnknownTest> {
        let known = Self::ALL.into_iter().find(|test| test.to_string() == text);
        known.ok_or_else(|| UnknownTest(text.to_owned()))
    }
}

/// How to compare many systems.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PairOptions {
    /// Which test, two-sided.
    pub test: PairTest,
    /// How to correct for the number of pairs; not used by Tukey's test, which does so itself.
    pub correction: Correction,
    /// The level of significance; 0.05 unless changed.
    pub significance: f64,
    /// Permutations or resamples, of the tests that draw; 10,000 unless changed.
    pub draws: usize,
    /// The source of chance.
    pub seed: Seed,
}

impl PairOptions {
    /// This test at 0.05 with Holm's correction and 10,000 draws.
    pub fn new(test: PairTest, seed: Seed) -> Self {
        Self { test, correction: Correction::Holm, significance: 0.05, draws: 10_000, seed }
    }
}

/// One pair of systems.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PairResult {
    /// The position of the baseline among the systems.
    pub baseline: usize,
    /// The position of the candidate.
    pub candidate: usize,
    /// Candidate minus baseline, the mean over topics.
    pub mean: f64,
    /// Which of the two the test favours: by wins against losses (sign test), by the ranks of the wins against those
    /// of the losses (Wilcoxon), else by the mean.
    pub direction: Direction,
    /// How p was computed.
    pub method: Method,
    /// The two-sided p by itself (with Tukey's test: for the family); `None` when it does not exist.
    pub p: Option<f64>,
    /// The p adjusted for the number of pairs that have one.
    pub adjusted: Option<f64>,
    /// Whether the adjusted p is at or below the level.
    pub significant: bool,
    /// Why there is no p.
    pub undefined: Option<Undefined>,
}

/// What came of comparing many systems.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairResults {
    /// How many topics.
    pub n: usize,
    /// How many systems.
    pub systems: usize,
    /// Which test.
    pub test: PairTest,
    /// How p were corrected; `none` for Tukey's test.
    pub correction: Correction,
    /// The level of significance.
    pub significance: f64,
    /// How many pairs could not be significant whatever their values are: all, or those whose p is drawn where others
    /// are exact.
    pub out_of_reach: usize,
    /// Set when so few draws were made that these pairs could not be significant: the least p of `draws` is
    /// 1 / (1 + draws), and Holm's correction multiplies it with the number of pairs. It takes at least so many.
    pub draws_needed: Option<usize>,
    /// Set when it is for too few topics: the least p of k signs or ranks is 2^(1 - k), and a pair that differs on this
    /// many topics could be significant. By the bootstrap test the least p of n topics is n^(1 - n), whether they differ
    /// or not.
    pub topics_needed: Option<usize>,
    /// The least p that any of the pairs could have, before correction; `None` when none has a p.
    pub least_p: Option<f64>,
    /// On how many topics those two differ that differ on the most.
    pub most_differing: usize,
    /// The pairs, in the order of baseline and then candidate.
    pub pairs: Vec<PairResult>,
}

/// Compares every pair of `systems`: a list of values by topic each, all over the same topics in the same order.
/// The first of a pair is its baseline.
///
/// The permutation test flips the same topics for all pairs, so that 100 systems cost little more than one pair,
/// and each pair's p is what [`permutation_test`](crate::permutation_test) gives with that seed. All pairs of many
/// systems, corrected by Holm, need more draws than the usual 10,000: see
/// [`draws_needed`](PairResults::draws_needed).
///
/// ```
/// use llull_core::Seed;
/// use llull_stats::{PairOptions, PairTest, compare_all};
///
/// let systems = [vec![0.1, 0.2, 0.3, 0.2, 0.1, 0.3, 0.2], vec![0.4, 0.6, 0.7, 0.5, 0.6, 0.9, 0.5], vec![0.4, 0.5, 0.8, 0.5, 0.6, 0.8, 0.6]];
/// let compared = compare_all(&systems, &PairOptions::new(PairTest::Permutation, Seed(1)))?;
/// let significant: Vec<bool> = compared.pairs.iter().map(|pair| pair.significant).collect();
/// assert_eq!(significant, [true, true, false]);
/// # Ok::<(), llull_stats::StatsError>(())
/// ```
///
/// # Errors
/// When systems have different numbers of values or none, a value is not finite, or the options cannot be.
pub fn compare_all<S: AsRef<[f64]> + Sync>(
    systems: &[S],
    options: &PairOptions,
) -> Result<PairResults, StatsError> {
    let pairs = (0..systems.len()).flat_map(|a| (a + 1..systems.len()).map(move |b| (a, b)));
    compare(systems, &pairs.collect::<Vec<_>>(), options)
}

/// Compares each of the other `systems` with the one at position `baseline`. The correction is for so many pairs
/// only; Tukey's test is of all systems all the same.
///
/// # Errors
/// When there is no such system, systems have different numbers of values or none, a value is not finite, or the
/// options cannot be.
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
    let tested = tested(systems, pairs, options)?;
    let correction = if options.test == PairTest::Tukey { Correction::None } else { options.correction };
    let differing =
        pairs.iter().map(|(a, b)| Ok(Paired::of(systems[*a].as_ref(), systems[*b].as_ref())?.differing()));
    let differing = differing.collect::<Result<Vec<_>, StatsError>>()?;
    let with_p = tested.iter().zip(&differing).filter(|(tested, _)| tested.p.is_ok());
    let with_p: Vec<(Method, usize)> =
        with_p.map(|(tested, differing)| (tested.method, *differing)).collect();
    let OutOfReach { pairs: out_of_reach, draws_needed, topics_needed } =
        OutOfReach::of(&with_p, n, correction, options);
    let most_differing = differing.iter().copied().max().unwrap_or_default();
    let least_p = with_p.iter().map(|(method, differing)| least_p(method, n, *differing)).reduce(f64::min);
    let family: Vec<f64> = tested.iter().filter_map(|tested| tested.p.ok()).collect();
    let mut corrected = adjusted(&family, correction)?.into_iter();
    let result = |((baseline, candidate), Tested { method, p, direction }): (&(usize, usize), Tested)| {
        let paired = Paired::of(systems[*baseline].as_ref(), systems[*candidate].as_ref())?;
        let adjusted = if p.is_ok() { corrected.next() } else { None };
        Ok(PairResult {
            baseline: *baseline,
            candidate: *candidate,
            mean: paired.mean(),
            direction: direction.unwrap_or_else(|| Direction::of(paired.mean())),
            method,
            p: p.ok(),
            adjusted,
            significant: adjusted.is_some_and(|p| p <= options.significance),
            undefined: p.err(),
        })
    };
    let pairs = pairs.iter().zip(tested).map(result).collect::<Result<_, StatsError>>()?;
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

/// Pairs that cannot be significant whatever their values are, and what keeps them from it.
#[derive(Default)]
struct OutOfReach {
    pairs: usize,
    draws_needed: Option<usize>,
    topics_needed: Option<usize>,
}

impl OutOfReach {
    /// `family` is each pair that has a p, with the number of topics on which it differs.
    fn of(family: &[(Method, usize)], n: usize, correction: Correction, options: &PairOptions) -> Self {
        // That all are identical says more than that they differ on too few topics.
        if family.iter().all(|(_, differing)| *differing == 0) {
            return Self::default();
        }
        let drawn: Vec<(Method, usize)> =
            family.iter().filter(|(method, differing)| is_drawn(method) && *differing > 0).copied().collect();
        let level = options.significance;
        // Where some exact p can be significant, at best all of them are, and only the others are left to correct for.
        let (pairs, factor) =
            match (beyond(family, n, correction, level), beyond(&drawn, n, correction, level)) {
                (Some(factor), _) => (family.len(), factor),
                (None, Some(factor)) => (drawn.len(), factor),
                (None, None) => return Self::default(),
            };
        // More draws are of no use where the topics themselves are too few.
        let by_topics: fn(usize) -> f64 = match drawn.first() {
            None => least_of_signs,
            Some((Method::Bootstrap { .. }, _)) if factor * least_of_resamples(n) > level => {
                least_of_resamples
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

/// What the least p of these is multiplied with at least, where it is above the level after that.
fn beyond(family: &[(Method, usize)], n: usize, correction: Correction, level: f64) -> Option<f64> {
    // Holm's least corrected p is that of all pairs together; of the others it is the least p.
    let factor = if correction == Correction::Holm { family.len() } else { 1 } as f64;
    let least = family.iter().map(|(method, differing)| least_p(method, n, *differing)).reduce(f64::min)?;
    (factor * least > level).then_some(factor)
}

/// Where 2^(1 - n) is the least number above 0.
const MOST_SIGNS: usize = 1075;

/// The least p that a pair can have which differs on so many of n topics, whatever the differences are.
fn least_p(method: &Method, n: usize, differing: usize) -> f64 {
    let of_draws = |draws: usize| 1.0 / (1.0 + draws as f64);
    match method {
        _ if differing == 0 => 1.0,
        Method::RandomFlips { permutations, .. } | Method::RandomRows { permutations, .. } => {
            of_draws(*permutations)
        }
        Method::Bootstrap { resamples, .. } => of_draws(*resamples).max(least_of_resamples(n)),
        Method::ExactFlips { .. } | Method::ExactRanks | Method::Binomial => least_of_signs(differing),
        Method::StudentT { .. } | Method::Normal => 0.0,
    }
}

/// Of n topics drawn n times, one over and over: such draws have an infinite t.
fn least_of_resamples(n: usize) -> f64 {
    let n = n as f64;
    n.powf(1.0 - n)
}

fn is_drawn(method: &Method) -> bool {
    matches!(method, Method::RandomFlips { .. } | Method::RandomRows { .. } | Method::Bootstrap { .. })
}

/// How many topics all systems have values for.
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

fn tested<S: AsRef<[f64]> + Sync>(
    systems: &[S],
    pairs: &[(usize, usize)],
    options: &PairOptions,
) -> Result<Vec<Tested>, StatsError> {
    let PairOptions { test, draws, seed, .. } = *options;
    let permutation = PermutationOptions { permutations: draws, ..PermutationOptions::new(seed) };
    let ranks = WilcoxonOptions::default();
    match test {
        PairTest::Permutation => {
            let tested = permute_pairs(systems, pairs, &permutation)?;
            Ok(tested.into_iter().map(|(method, p)| Tested::of_means(method, Ok(p))).collect())
        }
        PairTest::Tukey => {
            permutation.check()?;
            let method = Method::RandomRows { permutations: draws, systems: systems.len(), seed };
            let tested = permuted_ranges(systems, pairs, draws, seed);
            Ok(tested.into_iter().map(|p| Tested::of_means(method, Ok(p))).collect())
        }
        PairTest::T => {
            each(systems, pairs, |a, b| paired_t_test(a, b, Alternative::TwoSided).map(|test| test.outcome()))
        }
        PairTest::Wilcoxon => {
            each(systems, pairs, |a, b| wilcoxon_test(a, b, &ranks).map(|test| test.outcome()))
        }
        PairTest::Sign => {
            each(systems, pairs, |a, b| sign_test(a, b, Alternative::TwoSided).map(|test| test.outcome()))
        }
        PairTest::Bootstrap => {
            let method = Method::Bootstrap { resamples: draws, seed };
            let paired = pairs.iter().map(|(a, b)| Paired::of(systems[*a].as_ref(), systems[*b].as_ref()));
            let paired = paired.collect::<Result<Vec<_>, StatsError>>()?;
            let p = resampled(&paired.iter().collect::<Vec<_>>(), draws, seed)?;
            Ok(p.into_iter().map(|p| Tested::of_means(method, p)).collect())
        }
    }
}

fn each<S: AsRef<[f64]> + Sync>(
    systems: &[S],
    pairs: &[(usize, usize)],
    test: impl Fn(&[f64], &[f64]) -> Result<Tested, StatsError> + Sync,
) -> Result<Vec<Tested>, StatsError> {
    pairs.par_iter().map(|(a, b)| test(systems[*a].as_ref(), systems[*b].as_ref())).collect()
}
