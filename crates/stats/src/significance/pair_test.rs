//! The tests of a comparison of many systems, and their parameters.

use std::fmt;
use std::str::FromStr;

use llull_core::Seed;
use serde::{Deserialize, Serialize};

use crate::multiple_testing::Correction;

/// A test for pairs of systems. Each prints as, and parses from, its name in lower case.
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
    /// whole family of systems, whichever pairs are compared.
    Tukey,
}

impl PairTest {
    /// All tests, the default first.
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

/// A text that is not the name of a test.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a test: use permutation, t, wilcoxon, sign, bootstrap or tukey")]
pub struct UnknownTest(String);

impl FromStr for PairTest {
    type Err = UnknownTest;

    fn from_str(text: &str) -> Result<Self, UnknownTest> {
        let known = Self::ALL.into_iter().find(|test| test.to_string() == text);
        known.ok_or_else(|| UnknownTest(text.to_owned()))
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
