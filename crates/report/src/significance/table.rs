//! Systems on one measure, with the results of tests.

use llull_stats::{Direction, PairTest};
use serde::Serialize;

use super::family::Tests;
use super::tested_comparison::TestedComparison;
use crate::systems::Figure;

/// Systems on one measure: their means, which of them differ significantly, and each against the baseline.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SignificanceTable {
    /// The measure, such as `nDCG@10`.
    pub measure: String,
    /// How many queries.
    pub n: usize,
    /// The system that the others are compared with.
    pub baseline: String,
    /// The confidence of intervals, such as 0.95.
    pub confidence: f64,
    /// The number of bootstrap resamples behind the intervals of means and differences.
    pub resamples: usize,
    /// The seed of intervals and tests.
    pub seed: u64,
    /// How p were computed.
    pub tests: Tests,
    /// Every system, in the order in which they were given.
    pub systems: Vec<SystemRow>,
    /// Every other system against the baseline.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comparisons: Vec<TestedComparison>,
    /// All pairs, if they were tested and there are more than those with the baseline.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<TestedPair>,
    /// The reasons why no pair can be significant whatever the figures are, with advice.
    pub notes: Vec<String>,
}

/// A system of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SystemRow {
    /// The system.
    pub system: String,
    /// Its letter; `None` where only the baseline has one.
    pub letter: Option<String>,
    /// Its mean, with an interval and the numbers behind it.
    #[serde(flatten)]
    pub figure: Figure,
    /// The systems that it is significantly better than, among those that were tested and have letters.
    pub better_than: Vec<String>,
    /// The letters of these, as in the cell of the figure.
    pub letters: String,
}

/// One of all pairs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TestedPair {
    /// The system.
    pub system: String,
    /// The system that it is compared with.
    pub baseline: String,
    /// Mean over queries of system minus baseline.
    pub mean_difference: f64,
    /// Queries where the system is better.
    pub wins: usize,
    /// Queries where both are equal.
    pub ties: usize,
    /// Queries where it is worse.
    pub losses: usize,
    /// The test that p is of, two-sided.
    pub test: PairTest,
    /// p by itself; null if it is undefined.
    pub p: Option<f64>,
    /// The same, corrected for the number of pairs.
    pub p_adjusted: Option<f64>,
    /// Whether that is at or below the level.
    pub significant: bool,
    /// Which of the two the test favours, by its own statistic: it may contradict the mean difference.
    pub direction: Direction,
    /// Why there is no p, or why it is 1.
    pub reason: Option<String>,
}
