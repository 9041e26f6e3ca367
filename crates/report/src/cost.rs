//! The cost of each judge. Unknown is unknown, never 0.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::{counted, dollars};

/// The cost of each judge.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CostSection {
    /// One entry a judge.
    pub judges: Vec<JudgeCost>,
}

/// The cost of one judge, over every attempt that the ledger has for this study's questions.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeCost {
    /// The judge.
    pub judge: String,
    /// Attempts, failed ones included.
    pub attempts: u64,
    /// Tokens of the prompts.
    pub prompt_tokens: Tokens,
    /// Tokens of the replies, reasoning included.
    pub completion_tokens: Tokens,
    /// US dollars.
    pub cost_usd: Dollars,
    /// Time from asking to answer; null without attempts.
    pub latency_ms: Option<LatencyPercentiles>,
}

/// A sum of tokens as far as the provider counted them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tokens {
    /// The sum over attempts with a count; null if none has one.
    pub known: Option<u64>,
    /// Attempts without a count.
    pub unknown: u64,
}

/// A sum of money as far as prices are known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Dollars {
    /// The sum over attempts with a price, in US dollars; null if none has one.
    pub known: Option<f64>,
    /// Attempts without a price.
    pub unknown: u64,
}

impl CostSection {
    /// Returns the sum over all judges.
    pub(crate) fn total(&self) -> Dollars {
        let costs = || self.judges.iter().map(|judge| judge.cost_usd);
        Dollars {
            known: costs().filter_map(|cost| cost.known).reduce(|sum, cost| sum + cost),
            unknown: costs().map(|cost| cost.unknown).sum(),
        }
    }
}

/// `$0.0075`, or `at least $0.0075; the price of 2 answers is unknown`
impl fmt::Display for Dollars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.known, self.unknown) {
            (Some(usd), 0) => write!(f, "${}", dollars(usd)),
            (Some(usd), n) => {
                write!(f, "at least ${}; the price of {} is unknown", dollars(usd), counted(n, "answer"))
            }
            (None, _) => f.write_str("price unknown"),
        }
    }
}

/// Percentiles of the time from asking to answer, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LatencyPercentiles {
    /// The median.
    pub p50: u32,
    /// The 95th percentile.
    pub p95: u32,
}

/// The times and costs of a system's searches, as far as its results have them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RetrievalFigures {
    /// Queries that this system searched for, failed ones included.
    pub queries: u64,
    /// How many of them it failed to answer; they count as unanswered.
    pub errors: u64,
    /// Of how many the time is known.
    pub n: u64,
    /// Half of these took no longer, in milliseconds; null if no time is known.
    pub p50_ms: Option<f64>,
    /// 95% of these took no longer, in milliseconds; null if no time is known.
    pub p95_ms: Option<f64>,
    /// The cost of the queries, in US dollars.
    pub cost_usd: Dollars,
}

impl RetrievalFigures {
    /// Figures of `queries` searches, of which `errors` failed. `milliseconds` are the known times, and `dollars` the
    /// known prices, in any order. The p-th percentile is the shortest time that at least p percent of the queries did
    /// not exceed (nearest rank).
    ///
    /// ```
    /// let found = llull_report::RetrievalFigures::of(4, 1, &[9.0, 1.0, 3.0], &[0.5, 0.25]);
    /// assert_eq!((found.n, found.p50_ms, found.p95_ms), (3, Some(3.0), Some(9.0)));
    /// assert_eq!((found.cost_usd.known, found.cost_usd.unknown), (Some(0.75), 2));
    /// assert_eq!(llull_report::RetrievalFigures::of(4, 0, &[], &[]).p95_ms, None);
    /// ```
    pub fn of(queries: u64, errors: u64, milliseconds: &[f64], dollars: &[f64]) -> Self {
        let mut sorted = milliseconds.to_vec();
        sorted.sort_by(f64::total_cmp);
        let n = sorted.len();
        let at = |percent: usize| sorted.get((n * percent).div_ceil(100).max(1) - 1).copied();
        Self {
            queries,
            errors,
            n: n as u64,
            p50_ms: at(50),
            p95_ms: at(95),
            cost_usd: Dollars {
                known: (!dollars.is_empty()).then(|| dollars.iter().sum()),
                unknown: queries.saturating_sub(dollars.len() as u64),
            },
        }
    }

    /// The cost of 1,000 queries, in US dollars; `None` unless every query has a price.
    pub(crate) fn dollars_for_1000(&self) -> Option<f64> {
        let known = self.cost_usd.known.filter(|_| self.cost_usd.unknown == 0 && self.queries > 0)?;
        Some(known * 1000.0 / self.queries as f64)
    }

    /// Whether only the number of queries is known.
    pub fn is_silent(&self) -> bool {
        self.n == 0 && self.errors == 0 && self.cost_usd.known.is_none()
    }
}
