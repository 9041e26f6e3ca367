//! Systems on one measure, with the results of tests.

use llull_stats::{Direction, PairTest};
use serde::Serialize;

use super::family::Tests;
use super::letters::letters;
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
    /// Why some pairs have no letters, although the test finds them significant; absent if all have theirs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub letters_withheld: Option<LettersWithheld>,
}

/// Why pairs that a test finds significant have no letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LettersWithheld {
    /// A judge failed a check, so its labels decide nothing.
    JudgeFailed,
    /// Human labels correct the figures, and the letters are by the judge's labels.
    HumanLabels,
    /// Missing labels could reverse the mean difference.
    MissingLabels,
}

impl SignificanceTable {
    /// Replaces the verdicts by "no verdict" and takes back all letters, because these judges failed a check.
    pub fn distrust(&mut self, judges: &str) {
        self.comparisons.iter_mut().for_each(|tested| tested.comparison.distrust(judges));
        self.withhold_letters(LettersWithheld::JudgeFailed, |_, _| true);
    }

    /// Takes back the letters of the pairs for which `has_none` holds, given the better and the worse system: a letter
    /// means that one system is better, which nothing else in the table may deny.
    pub fn withhold_letters(&mut self, reason: LettersWithheld, has_none: impl Fn(&str, &str) -> bool) {
        let lettered: Vec<String> =
            self.systems.iter().filter(|row| row.letter.is_some()).map(|row| row.system.clone()).collect();
        for row in &mut self.systems {
            let before = row.better_than.len();
            row.better_than.retain(|worse| !has_none(&row.system, worse));
            if row.better_than.len() < before {
                let places = (0..lettered.len()).filter(|place| row.better_than.contains(&lettered[*place]));
                row.letters = letters(&places.collect::<Vec<_>>(), lettered.len());
                self.letters_withheld = Some(reason);
            }
        }
    }
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
