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

#[cfg(test)]
mod tests {
    use llull_core::{Failure, FailureKind, Hash, Outcome, Usage};
    use proptest::prelude::*;

    use super::*;

    fn attempt(latency_ms: u32, cost_usd: Option<f64>, prompt_tokens: Option<u64>) -> Attempt {
        Attempt {
            key: Hash::of(b"key"),
            topic: String::new(),
            document: String::new(),
            sample: 0,
            outcome: Outcome::Failed(Failure::new(FailureKind::Timeout, "")),
            reply: None,
            model: None,
            usage: Usage { prompt_tokens, completion_tokens: None },
            cost_usd,
            latency_ms,
            tokens_cut: 0,
            at_ms: 0,
        }
    }

    fn tally(attempts: &[Attempt]) -> JudgeCost {
        let mut tally = CostTally::default();
        attempts.iter().for_each(|one| tally.attempt(one));
        tally.finish("judge", Some(3))
    }

    /// Nearest rank by hand: of 1 to 20 the 10th and the 19th.
    #[test]
    fn percentiles_are_values_that_occur() {
        let attempts: Vec<_> = (1..=20).rev().map(|ms| attempt(ms, None, None)).collect();
        assert_eq!(tally(&attempts).latency_ms, Some(Latency { p50: 10, p95: 19 }));
        assert_eq!(tally(&attempts[..1]).latency_ms, Some(Latency { p50: 20, p95: 20 }));
    }

    #[test]
    fn unknown_is_counted_and_never_added() {
        let priced = attempt(1, Some(0.001), Some(70));
        let unpriced = attempt(1, None, None);
        let cost = tally(&[priced.clone(), unpriced.clone(), priced, attempt(1, Some(f64::NAN), Some(0))]);
        assert_eq!(cost.cost_usd, Dollars { known: Some(0.002), unknown: 2 });
        assert_eq!(cost.prompt_tokens, Tokens { known: Some(140), unknown: 1 });
        assert_eq!(cost.completion_tokens, Tokens { known: None, unknown: 4 });
        let free = tally(&[attempt(1, Some(0.0), None), unpriced]);
        assert_eq!(free.cost_usd, Dollars { known: Some(0.0), unknown: 1 });
    }

    proptest! {
        #[test]
        fn the_order_of_attempts_does_not_matter(
            rows in proptest::collection::vec((any::<u16>(), proptest::option::of(0.0f64..10.0)), 0..40),
            rotation in any::<usize>(),
        ) {
            let mut attempts: Vec<_> = rows.iter().map(|(ms, usd)| attempt(u32::from(*ms), *usd, None)).collect();
            let before = tally(&attempts);
            attempts.rotate_left(rotation % rows.len().max(1));
            attempts.reverse();
            prop_assert_eq!(before, tally(&attempts));
        }
    }
}
