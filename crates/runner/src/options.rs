//! Options for running judges and for reading a ledger.

use std::{collections::BTreeSet, num::NonZeroU32, sync::Arc, time::Duration};

use llull_core::{AskAgain, Seed};
use llull_llm::RetryPolicy;
use llull_store::Detail;

use crate::account_limits::AccountUse;
use crate::budget::Budget;

/// Options of a run. Only the number of samples changes the questions.
#[derive(Debug, Clone, PartialEq)]
pub struct RunOptions {
    /// The number of independent answers to each question.
    pub samples: NonZeroU32,
    /// The number of times that a question is repeated after unusable answers, over all runs.
    pub reask: u32,
    /// The answers of earlier runs whose questions are repeated; `None` for none.
    pub ask_again: Option<AskAgain>,
    /// The part of the ledger's attempts that the [evidence](crate::Evidence) has.
    pub detail: Detail,
    /// When and how often a question is sent again after a failure.
    pub retry: RetryPolicy,
    /// The time after which a question without an answer has failed. Models have time limits of their own; this one
    /// is a safeguard.
    pub timeout: Duration,
    /// The limits at which the run stops.
    pub budget: Budget,
    /// The limits that hold for this run and for the other runs that write to the ledger meanwhile together.
    pub study_budget: Budget,
    /// The most tokens and US dollars that the questions of judges in batches cost, which are reserved for them.
    pub batches_at_most: (u64, f64),
    /// The seed of the jitter between retries. It affects no answer. [`process_seed`](crate::process_seed) gives one
    /// that no other process has.
    pub seed: Seed,
    /// Whether all judges work at the same time. If not, one judge works after the other, which suits several models
    /// on a machine with memory for one.
    pub side_by_side: bool,
    /// The number of tasks in a row that one judge may give up, without an answer in between, before the run stops. A
    /// request that a judge in process rejects does not count.
    pub give_up_limit: u32,
    /// The [keys](crate::batch_key) of tasks that are in batches at a provider. A run that does not wait for batches
    /// stops before it pays for one of them again.
    pub elsewhere: Arc<BTreeSet<String>>,
    /// When a judge is stopped whose replies are unparsable; `None` for never.
    pub unusable: Option<UnusableLimits>,
    /// What accounts with limits that the user sets used in the last minute.
    pub account_use: AccountUse,
}

/// When a judge is stopped whose replies are unparsable. Replies are read in the order of the questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnusableLimits {
    /// The number of unparsable replies in a row,
    pub in_a_row: u32,
    /// if they are about at least this many queries;
    pub queries: usize,
    /// or more than half of this many first replies.
    pub first: u32,
}

impl Default for UnusableLimits {
    fn default() -> Self {
        Self { in_a_row: 20, queries: 3, first: 100 }
    }
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            samples: NonZeroU32::MIN,
            reask: 1,
            ask_again: None,
            detail: Detail::Verdicts,
            retry: RetryPolicy::default(),
            timeout: Duration::from_secs(600),
            budget: Budget::default(),
            study_budget: Budget::default(),
            batches_at_most: (0, 0.0),
            seed: Seed(0),
            side_by_side: true,
            give_up_limit: 20,
            elsewhere: Arc::default(),
            unusable: Some(UnusableLimits::default()),
            account_use: AccountUse::default(),
        }
    }
}

/// Options for reading a ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadOptions {
    /// The number of independent answers to each question.
    pub samples: NonZeroU32,
    /// The number of times that a question is repeated after unusable answers. Until then it is open.
    pub reask: u32,
    /// The answers whose questions are open, as in a run that repeats them.
    pub ask_again: Option<AskAgain>,
    /// The part of each attempt that is read. [Rationales](crate::JudgeEvidence::rationale) need [`Detail::Verdicts`].
    pub detail: Detail,
}

impl From<&RunOptions> for ReadOptions {
    /// Returns the options with which a run reads the ledger.
    fn from(run: &RunOptions) -> Self {
        let RunOptions { samples, reask, ask_again, detail, .. } = *run;
        Self { samples, reask, ask_again, detail }
    }
}

impl Default for ReadOptions {
    /// Returns the options with which a run with default options reads the ledger.
    fn default() -> Self {
        Self::from(&RunOptions::default())
    }
}
