//! What a test says: a p, how it came about, or why there is none.

use std::fmt;

use llull_core::Seed;
use serde::Serialize;

/// What would count against "there is no difference".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Alternative {
    /// The two differ, either way.
    #[default]
    TwoSided,
    /// The candidate is better than the baseline.
    Greater,
    /// The candidate is worse than the baseline.
    Less,
}

impl Alternative {
    /// What is large when the alternative holds.
    pub(crate) fn size(self, difference: f64) -> f64 {
        match self {
            Self::TwoSided => difference.abs(),
            Self::Greater => difference,
            Self::Less => -difference,
        }
    }

    /// The p of this alternative from the probabilities of at most and at least what was seen.
    pub(super) fn p(self, at_most: f64, at_least: f64) -> f64 {
        match self {
            Self::TwoSided => (2.0 * at_most.min(at_least)).min(1.0),
            Self::Greater => at_least,
            Self::Less => at_most,
        }
    }
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
    /// The exact distribution of the signed ranks as they are, ties included.
    ExactRanks,
    /// A normal distribution, its variance corrected for ties.
    Normal,
    /// The exact binomial distribution.
    Binomial,
    /// Every one of the 2^k ways to sign k differences.
    ExactFlips {
        /// How many differences were flipped: those that are not 0.
        differences: usize,
    },
    /// Random sign flips, the observed signs counted as one more.
    RandomFlips {
        /// How many were drawn.
        permutations: usize,
        /// Their source of chance.
        seed: Seed,
    },
    /// Topics drawn with replacement.
    Bootstrap {
        /// How many resamples were drawn.
        resamples: usize,
        /// Their source of chance.
        seed: Seed,
    },
    /// The systems' values permuted within every topic, the observed ones counted as one more permutation.
    RandomRows {
        /// How many permutations were drawn.
        permutations: usize,
        /// How many systems were permuted together.
        systems: usize,
        /// Their source of chance.
        seed: Seed,
    },
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
                write!(f, "{permutations} random permutations of {systems} systems within topics")
            }
        }
    }
}

/// Which of two a test favours, by what it looks at: means, wins or ranks, which may contradict each other.
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
    /// Of a figure that is above 0 when the candidate is the better one.
    pub(super) fn of(figure: f64) -> Self {
        match figure {
            above if above > 0.0 => Self::Better,
            below if below < 0.0 => Self::Worse,
            _ => Self::Equal,
        }
    }

    /// The same, seen from the other of the two.
    pub fn reversed(self) -> Self {
        match self {
            Self::Better => Self::Worse,
            Self::Worse => Self::Better,
            Self::Equal => Self::Equal,
        }
    }

    /// 1 where the candidate is better, -1 where it is worse, else 0.
    pub fn sign(self) -> f64 {
        match self {
            Self::Better => 1.0,
            Self::Worse => -1.0,
            Self::Equal => 0.0,
        }
    }
}

/// Why a figure does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "reason")]
pub enum Undefined {
    /// Too few values.
    TooFew {
        /// How many there are.
        n: usize,
        /// How many it takes.
        needed: usize,
    },
    /// The two have the same value on every topic: 0 / 0.
    Identical,
    /// All values, or all differences, are equal but not 0, so that the spread is 0 and the figure infinite.
    NoSpread,
    /// The values are finite, yet the figure is beyond what can be computed.
    OutOfRange,
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFew { n, needed } => write!(f, "{n} values are too few; it takes {needed}"),
            Self::Identical => f.write_str("the two have the same value on every topic"),
            Self::NoSpread => f.write_str("there is no spread to compare the difference with"),
            Self::OutOfRange => f.write_str("beyond what can be computed"),
        }
    }
}

/// What a test of candidate minus baseline over the same topics says.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TestResult {
    /// How p was computed.
    pub method: Method,
    /// What would count against no difference.
    pub alternative: Alternative,
    /// How many topics.
    pub n: usize,
    /// Topics on which the two differ, to 12 significant digits.
    pub differing: usize,
    /// The mean difference; above 0 when the candidate is better.
    pub mean: f64,
    /// What the test looks at: t, the sum of the ranks of the wins, the number of wins, or the mean difference.
    /// `None` when it does not exist.
    pub statistic: Option<f64>,
    /// The probability of a statistic at least as extreme if there is no difference; `None` when it does not exist.
    pub p: Option<f64>,
    /// Why there is no p.
    pub undefined: Option<Undefined>,
}

impl TestResult {
    /// Wilcoxon's with zeros left out. How p was computed, p or why there is none, and which of the two it favours where that is not by their means.
    pub(super) fn outcome(&self) -> Tested {
        let absent = self.undefined.unwrap_or(Undefined::OutOfRange);
        let differing = self.differing as f64;
        // Where neither would be favoured, wins are half of the differing topics, and their ranks half of all.
        let expected = match self.method {
            Method::Binomial => Some(differing / 2.0),
            Method::ExactRanks | Method::Normal => Some(differing * (differing + 1.0) / 4.0),
            _ => None,
        };
        let surplus = self.statistic.zip(expected).map(|(statistic, expected)| statistic - expected);
        Tested { method: self.method, p: self.p.ok_or(absent), direction: surplus.map(Direction::of) }
    }
}

/// How a pair was tested.
pub(super) struct Tested {
    /// How p was computed.
    pub(super) method: Method,
    /// p, or why there is none.
    pub(super) p: Result<f64, Undefined>,
    /// Which of the two the test favours; `None` where it looks at their means.
    pub(super) direction: Option<Direction>,
}

impl Tested {
    /// By a test of means.
    pub(super) fn of_means(method: Method, p: Result<f64, Undefined>) -> Self {
        Self { method, p, direction: None }
    }
}
