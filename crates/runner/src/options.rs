//! How a run is to be done. Nothing here changes what is asked, except the number of samples.

use std::{num::NonZeroU32, time::Duration};

use llull_core::Seed;
use llull_llm::RetryPolicy;
use llull_store::Detail;

/// How a run is to be done.
#[derive(Debug, Clone, PartialEq)]
pub struct RunOptions {
    /// How many independent answers to get to each question.
    pub samples: NonZeroU32,
    /// How often a question is asked again after an answer that is unusable. Counts over all runs.
    pub reask: u32,
    /// How much of what the ledger holds is kept for the [evidence](crate::Evidence).
    pub detail: Detail,
    /// How often and when a question is asked again after a failure.
    pub retry: RetryPolicy,
    /// How long an answer may take before it counts as failed. A backstop: models have limits of their own.
    pub timeout: Duration,
    /// Where to stop.
    pub budget: Budget,
    /// The seed of the jitter between retries. It changes no answer.
    pub seed: Seed,
    /// Ask all judges at the same time, instead of one after the other (which suits several models on one
    /// machine that has room for one).
    pub side_by_side: bool,
    /// Stop when so many tasks in a row were given up by one judge, without one answer in between.
    pub give_up_limit: u32,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            samples: NonZeroU32::MIN,
            reask: 1,
            detail: Detail::Verdicts,
            retry: RetryPolicy::default(),
            timeout: Duration::from_secs(600),
            budget: Budget::default(),
            seed: Seed(0),
            side_by_side: true,
            give_up_limit: 20,
        }
    }
}

/// Where a run stops. What is in the ledger already costs nothing. `None` is no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Budget {
    /// At most so many attempts, failed ones included. Exact.
    pub attempts: Option<u64>,
    /// No new question once the answers of this run have used so many tokens, prompts and replies together.
    /// What is in flight then is still paid.
    pub tokens: Option<u64>,
    /// No new question once the answers of this run have cost so many US dollars, likewise.
    pub usd: Option<f64>,
}

/// A limit of a [`Budget`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Attempts.
    Attempts,
    /// Tokens.
    Tokens,
    /// US dollars.
    Usd,
}

impl Limit {
    /// What it limits, for messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Attempts => "attempts",
            Self::Tokens => "tokens",
            Self::Usd => "US dollars",
        }
    }
}
