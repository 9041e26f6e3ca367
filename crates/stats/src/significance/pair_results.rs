//! The results of a comparison of many systems.

use serde::Serialize;

use super::method::Method;
use super::pair_test::PairTest;
use super::test_result::Direction;
use crate::multiple_testing::Correction;
use crate::undefined::Undefined;

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
