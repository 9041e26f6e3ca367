//! A test: its choice, its method and its result.

use std::fmt;

use llull_core::Seed;
use serde::{Deserialize, Serialize};

use crate::error::Undefined;
use crate::multiple_testing::Correction;

/// Which of two systems a test favours, by the figure that it compares: means, wins or ranks, which may contradict each
/// other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// The candidate.
    Better,
    /// The baseline.
    Worse,
    /// Neither.
    Equal,
}

impl Direction {
    /// Of a figure that is above 0 if the candidate is the better one.
    pub(super) fn of(figure: f64) -> Self {
        match figure {
            above if above > 0.0 => Self::Better,
            below if below < 0.0 => Self::Worse,
            _ => Self::Equal,
        }
    }

    /// Returns the direction with baseline and candidate exchanged.
    pub fn reversed(self) -> Self {
        match self {
            Self::Better => Self::Worse,
            Self::Worse => Self::Better,
            Self::Equal => Self::Equal,
        }
    }

    /// Returns 1 if the candidate is better, -1 if it is worse, else 0.
    pub fn sign(self) -> f64 {
        match self {
            Self::Better => 1.0,
            Self::Worse => -1.0,
            Self::Equal => 0.0,
        }
    }
}

/// The result of a two-sided test of candidate minus baseline over the same queries.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TestResult {
    /// How p was computed.
    pub method: Method,
    /// The number of queries.
    pub n: usize,
    /// The number of queries on which the two differ, to 12 significant digits.
    pub differing: usize,
    /// The mean difference; above 0 if the candidate is better.
    pub mean: f64,
    /// The figure that the test compares: t, the sum of the ranks of the wins, the number of wins, or the mean
    /// difference. `None` if it is undefined.
    pub statistic: Option<f64>,
    /// The probability of a statistic at least as extreme if there is no difference; `None` if it is undefined.
    pub p: Option<f64>,
    /// Why there is no p.
    pub undefined: Option<Undefined>,
}

impl TestResult {
    /// Returns the method of p, p or the reason for its absence, and the system that the test favours if it compares
    /// something else than means.
    pub(super) fn outcome(&self) -> TestOutcome {
        let absent = self.undefined.unwrap_or(Undefined::OutOfRange);
        let differing = self.differing as f64;
        // If the test favours neither, wins are half of the differing queries, and their ranks half of all ranks.
        let expected = match self.method {
            Method::Binomial => Some(differing / 2.0),
            Method::ExactRanks | Method::Normal => Some(differing * (differing + 1.0) / 4.0),
            _ => None,
        };
        let surplus = self.statistic.zip(expected).map(|(statistic, expected)| statistic - expected);
        TestOutcome { method: self.method, p: self.p.ok_or(absent), direction: surplus.map(Direction::of) }
    }
}

/// The outcome of a test of one pair among many.
pub(super) struct TestOutcome {
    /// How p was computed.
    pub(super) method: Method,
    /// p, or the reason for its absence.
    pub(super) p: Result<f64, Undefined>,
    /// Which of the two the test favours; `None` if it compares their means.
    pub(super) direction: Option<Direction>,
}

impl TestOutcome {
    /// Of a test of means.
    pub(super) fn of_means(method: Method, p: Result<f64, Undefined>) -> Self {
        Self { method, p, direction: None }
    }
}

/// Returns the two-sided p from the probabilities of at most and of at least the observed statistic.
pub(super) fn two_sided(at_most: f64, at_least: f64) -> f64 {
    (2.0 * at_most.min(at_least)).min(1.0)
}

/// How a p was computed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Method {
    /// Student's t distribution.
    StudentT {
        /// Its degrees of freedom.
        degrees: f64,
    },
    /// The exact distribution of the observed signed ranks, including ties.
    ExactRanks,
    /// A normal distribution whose variance is corrected for ties.
    Normal,
    /// The exact binomial distribution.
    Binomial,
    /// All 2^k ways to sign k differences.
    ExactFlips {
        /// The number of differences that were flipped: those that are not 0.
        differences: usize,
    },
    /// Random sign flips; the observed signs count as one more.
    RandomFlips {
        /// The number of draws.
        permutations: usize,
        /// Their source of chance.
        seed: Seed,
    },
    /// Queries drawn with replacement.
    Bootstrap {
        /// The number of resamples.
        resamples: usize,
        /// Their source of chance.
        seed: Seed,
    },
    /// The systems' values permuted within every query; the observed ones count as one more permutation.
    RandomRows {
        /// The number of permutations.
        permutations: usize,
        /// The number of systems that were permuted together.
        systems: usize,
        /// Their source of chance.
        seed: Seed,
    },
}

impl Method {
    /// Whether p is computed from random draws.
    pub(super) fn is_drawn(&self) -> bool {
        matches!(self, Self::RandomFlips { .. } | Self::RandomRows { .. } | Self::Bootstrap { .. })
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StudentT { degrees } => write!(f, "Student's t, {degrees} degrees of freedom"),
            Self::ExactRanks => f.write_str("exact distribution of signed ranks"),
            Self::Normal => f.write_str("normal approximation, corrected for ties"),
            Self::Binomial => f.write_str("exact binomial"),
            Self::ExactFlips { differences } => write!(f, "exact: all 2^{differences} sign flips"),
            Self::RandomFlips { permutations, .. } => write!(f, "{permutations} random sign flips"),
            Self::Bootstrap { resamples, .. } => write!(f, "{resamples} bootstrap resamples"),
            Self::RandomRows { permutations, systems, .. } => {
                write!(f, "{permutations} random permutations of {systems} systems within queries")
            }
        }
    }
}

/// A test for pairs of systems. Each prints as, and parses from, its name in lower case.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Default,
    Serialize,
    Deserialize,
    strum::Display,
    strum::EnumString,
    strum::VariantArray,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", parse_err_ty = UnknownTest, parse_err_fn = UnknownTest::of)]
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
    /// whole family of systems, whichever pairs are compared.
    Tukey,
}

impl PairTest {
    /// All tests, the default first.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;
}

/// A text that is not the name of a test.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a test: use permutation, t, wilcoxon, sign, bootstrap or tukey")]
pub struct UnknownTest(String);

impl UnknownTest {
    fn of(text: &str) -> Self {
        Self(text.to_owned())
    }
}

/// Parameters of a comparison of many systems.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PairOptions {
    /// The test, two-sided.
    pub test: PairTest,
    /// How to correct for the number of pairs; ignored by Tukey's test, which corrects by itself.
    pub correction: Correction,
    /// The level of significance; 0.05 by default.
    pub significance: f64,
    /// The number of permutations or resamples of tests that draw; 10,000 by default.
    pub draws: usize,
    /// The source of chance.
    pub seed: Seed,
}

impl PairOptions {
    /// Returns the defaults: the test at 0.05 with Holm's correction and 10,000 draws.
    pub fn new(test: PairTest, seed: Seed) -> Self {
        Self { test, correction: Correction::Holm, significance: 0.05, draws: 10_000, seed }
    }
}
