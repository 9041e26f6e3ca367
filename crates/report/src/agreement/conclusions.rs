//! The conclusions of two label sets about every pair of systems.

use llull_stats::{
    Conclusion, ConclusionCounts, Correction, DiscriminativePower, PairOptions, PairResult, PairTest,
};
use serde::Serialize;

use super::under_both::UnderBoth;
use crate::significance::{Family, Tests};

/// The conclusions of both label sets about the pairs of systems, and the test behind them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Conclusions {
    /// How many pairs.
    pub pairs: u64,
    /// The test.
    pub test: PairTest,
    /// How p were corrected; `none` for Tukey's test, whose p already hold for all systems together.
    pub correction: Correction,
    /// The level of significance.
    pub significance: f64,
    /// Permutations or resamples that were drawn; `None` if p are exact under both, or of a distribution.
    pub draws: Option<usize>,
    /// How p were computed under each label set, which may differ: exact under one, drawn under the other.
    pub tests: UnderBoth<Tests>,
    /// The counts.
    #[serde(flatten)]
    pub counts: ConclusionCounts,
}

impl Conclusions {
    /// The conclusions that follow from the tests under both label sets.
    pub(super) fn of(power: &UnderBoth<DiscriminativePower>, options: &PairOptions) -> Self {
        let (truth, other) = (&power.truth.results, &power.other.results);
        let says = |pair: &PairResult| Conclusion { difference: pair.direction.sign(), p: pair.adjusted };
        let pairs = truth.pairs.iter().zip(&other.pairs);
        let counts = ConclusionCounts::of(
            pairs.map(|(truth, other)| (says(truth), says(other))),
            options.significance,
        );
        let tests = UnderBoth {
            truth: Tests::of(truth, Family::AllPairs),
            other: Tests::of(other, Family::AllPairs),
        };
        Self {
            pairs: counts.pairs(),
            test: truth.test,
            correction: truth.correction,
            significance: options.significance,
            draws: tests.truth.draws.or(tests.other.draws),
            tests,
            counts,
        }
    }
}
