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
