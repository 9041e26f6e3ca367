//! The result of a test: statistic, p and favoured system.

use serde::Serialize;

use super::method::Method;
use crate::undefined::Undefined;

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
