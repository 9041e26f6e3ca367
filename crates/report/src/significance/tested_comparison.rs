//! One system against the baseline, with test, effect sizes and power.

use llull_stats::{Correction, Direction, PairTest};
use serde::Serialize;
use serde::ser::{Error, Serializer};

use crate::comparison::BaselineComparison;

/// One system against the baseline, with all figures of the difference.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TestedComparison {
    /// The difference, its interval and the finding.
    #[serde(flatten, serialize_with = "without_p")]
    pub comparison: BaselineComparison,
    /// Every p of this difference, each under the name of its test.
    pub p_by_test: Vec<NamedP>,
    /// Whether the difference is significant.
    pub test: Test,
    /// How large it is, apart from how sure.
    pub effect: Effects,
    /// How many queries would show it.
    pub power: PowerAnalysis,
    /// Whether it is too small to matter; absent if no margin was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub equivalence: Option<EquivalenceTest>,
}

/// A p and the test that it is of.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NamedP {
    /// The test: one of [`PairTest`], or `bootstrap_interval`, which is the p that belongs to the interval.
    pub test: String,
    /// p by itself; null if it is undefined.
    pub p: Option<f64>,
    /// p corrected for the number of pairs in the family; null if it is not corrected.
    pub p_adjusted: Option<f64>,
}

impl NamedP {
    /// The p of the test and of the interval.
    pub(super) fn of(comparison: &BaselineComparison, test: &Test) -> Vec<Self> {
        let tested = Self { test: test.name.to_string(), p: test.p, p_adjusted: test.p_adjusted };
        vec![tested, Self { test: "bootstrap_interval".to_owned(), p: comparison.p, p_adjusted: None }]
    }
}

/// The test of one comparison.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Test {
    /// Which test, two-sided.
    pub name: PairTest,
    /// How p was computed, in words; null if there is no query.
    pub method: Option<String>,
    /// The test's statistic: t, the sum of the ranks of the wins, or the number of wins; absent if it is the mean
    /// difference, or undefined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistic: Option<f64>,
    /// p by itself; with Tukey's test, for all systems together. Null if it is undefined.
    pub p: Option<f64>,
    /// p corrected for the number of pairs in the family.
    pub p_adjusted: Option<f64>,
    /// How it was corrected.
    pub correction: Correction,
    /// How many queries.
    pub n: usize,
    /// Whether p is exact; absent of tests that never are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<bool>,
    /// How many permutations or resamples were drawn; absent where none were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draws: Option<usize>,
    /// Whether the corrected p is at or below the level.
    pub significant: bool,
    /// The direction by the test's statistic, which may contradict the mean difference; absent without queries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    /// Why there is no p, or why it is 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The same in a word or two, for a narrow cell.
    #[serde(skip)]
    pub(super) short: Option<&'static str>,
}

/// Effect sizes, above 0 when the system is better than the baseline. Intervals have the confidence of the comparison.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Effects {
    /// Cohen's d_z: the mean difference over the standard deviation of the differences.
    pub dz: Effect,
    /// Cohen's d: the mean difference over the pooled standard deviation of the values.
    pub d: Effect,
    /// Hedges' g: Cohen's d without its bias.
    pub g: Effect,
    /// Cliff's delta by topic: the share of wins less the share of losses.
    pub cliff_delta: Effect,
}

/// One effect size.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Effect {
    /// The effect size; null when it does not exist.
    pub value: Option<f64>,
    /// The lower end of its interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// Why it does not exist, or has no interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The same in a word or two, for a narrow cell.
    #[serde(skip)]
    pub(super) short: Option<&'static str>,
}

/// Estimates from the spread of the differences how many queries to judge, for a paired t test, not corrected.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PowerAnalysis {
    /// How often the difference is to be found significant: 0.8.
    pub power: f64,
    /// At which level.
    pub significance: f64,
    /// How many queries are enough if the true difference is the one seen here; null if no number is.
    pub topics_needed: Option<usize>,
    /// The smallest true difference that this number of queries finds so often.
    pub detectable: Option<f64>,
    /// Why there is no such figure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Whether the difference lies within a margin of 0: two one-sided paired t tests.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EquivalenceTest {
    /// The largest difference that would not matter, in either direction.
    pub margin: f64,
    /// The larger p of the two tests; null if it is undefined.
    pub p: Option<f64>,
    /// The same, corrected for the number of comparisons with the baseline.
    pub p_adjusted: Option<f64>,
    /// How it was corrected.
    pub correction: Correction,
    /// Whether the corrected p is at or below the level: then the two are equivalent within the margin. Null
    /// without a p.
    pub equivalent: Option<bool>,
    /// Why there is no p.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The same in a word or two, for a narrow cell.
    #[serde(skip)]
    pub(super) short: Option<&'static str>,
    /// Whether the difference is the same on every query, with two queries or more. Then there is no p, but whether the
    /// difference lies within the margin is plain.
    #[serde(skip)]
    pub(super) constant: bool,
}

/// A comparison without its `p`, which would be ambiguous next to the p of a test, and without the number of queries
/// that `power` has.
fn without_p<S: Serializer>(comparison: &BaselineComparison, serializer: S) -> Result<S::Ok, S::Error> {
    let fields = serde_json::to_value(comparison).map_err(S::Error::custom)?;
    let fields = fields.as_object().into_iter().flatten();
    serializer.collect_map(fields.filter(|(name, _)| !["p", "queries_needed"].contains(&name.as_str())))
}
