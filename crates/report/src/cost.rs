//! What each judge consumed. Unknown is unknown, never 0.

use llull_core::Attempt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What each judge consumed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cost {
    /// One entry a judge.
    pub judges: Vec<JudgeCost>,
}

/// What one judge consumed, over every attempt that the ledger holds for this study's questions.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeCost {
    /// The judge.
    pub judge: String,
    /// Attempts, failed ones included.
    pub attempts: u64,
    /// Answers that were in the ledger before this run and were not asked for again; null when the report was
    /// not written by a run. Everything else in a report depends on the ledger alone.
    pub reused: Option<u64>,
    /// Tokens of the prompts.
    pub prompt_tokens: Tokens,
    /// Tokens of the replies, reasoning included.
    pub completion_tokens: Tokens,
    /// US dollars.
    pub cost_usd: Dollars,
    /// Time from asking to answer; null without attempts.
    pub latency_ms: Option<Latency>,
}

/// A sum of tokens as far as the provider counted them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tokens {
    /// The sum over attempts with a count; null when none has one.
    pub known: Option<u64>,
    /// Attempts without a count.
    pub unknown: u64,
}

/// A sum of money as far as prices are known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Dollars {
    /// The sum over attempts with a price, in US dollars; null when none has one.
    pub known: Option<f64>,
    /// Attempts without a price.
    pub unknown: u64,
}

/// Percentiles of the time from asking to answer, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Latency {
    /// The median.
    pub p50: u32,
    /// The 95th percentile.
    pub p95: u32,
}

/// Adds up one judge's attempts; the order does not matter.
///
/// ```
/// use llull_report::CostTally;
/// let nothing = CostTally::default().finish("gpt", None);
/// assert_eq!((nothing.attempts, nothing.cost_usd.known, nothing.latency_ms), (0, None, None));
/// ```
#[derive(Debug, Clone, Default)]
pub struct CostTally {
    prompt: Sum,
    completion: Sum,
    picodollars: Sum,
    latencies: Vec<u32>,
}

/// A sum in whole units, so that it does not depend on the order.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    total: u128,
    known: u64,
    unknown: u64,
}

const PICODOLLARS: f64 = 1e12;

impl Sum {
    fn add(&mut self, amount: Option<u128>) {
        match amount {
            Some(amount) => {
                self.total += amount;
                self.known += 1;
            }
            None => self.unknown += 1,
        }
    }

    fn total(self) -> Option<u128> {
        (self.known > 0).then_some(self.total)
    }

    fn tokens(self) -> Tokens {
        Tokens {
            known: self.total().map(|total| u64::try_from(total).unwrap_or(u64::MAX)),
            unknown: self.unknown,
        }
    }
}

impl CostTally {
    /// Counts one attempt. A price that is negative or not finite counts as unknown.
    pub fn attempt(&mut self, attempt: &Attempt) {
        self.prompt.add(attempt.usage.prompt_tokens.map(u128::from));
        self.completion.add(attempt.usage.completion_tokens.map(u128::from));
        let price = attempt.cost_usd.filter(|price| price.is_finite() && *price >= 0.0);
        self.picodollars.add(price.map(|price| (price * PICODOLLARS).round() as u128));
        self.latencies.push(attempt.latency_ms);
    }

    /// The sums of the judge with this name; `reused` as in [`JudgeCost::reused`].
    pub fn finish(mut self, judge: impl Into<String>, reused: Option<u64>) -> JudgeCost {
        JudgeCost {
            judge: judge.into(),
            attempts: self.latencies.len() as u64,
            reused,
            prompt_tokens: self.prompt.tokens(),
            completion_tokens: self.completion.tokens(),
            cost_usd: Dollars {
                known: self.picodollars.total().map(|total| total as f64 / PICODOLLARS),
                unknown: self.picodollars.unknown,
            },
            latency_ms: latency(&mut self.latencies),
        }
    }
}

/// Percentiles by nearest rank: the smallest value that at least that share of the attempts does not exceed.
fn latency(latencies: &mut [u32]) -> Option<Latency> {
    let mut percentile = |percent: usize| {
        let index = (latencies.len() * percent).div_ceil(100).checked_sub(1)?;
        Some(*latencies.select_nth_unstable(index).1)
    };
    Some(Latency { p50: percentile(50)?, p95: percentile(95)? })
}
