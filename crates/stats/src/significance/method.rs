//! The method of a p: a distribution or random draws.

use std::fmt;

use llull_core::Seed;
use serde::Serialize;

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
