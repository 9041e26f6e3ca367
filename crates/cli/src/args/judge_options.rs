//! Options of all commands that judge, or estimate judging.

use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use llull::config::Overrides;
use llull::core::Paradigm;

use super::number_ranges::{concurrency, dollars, pool_depth, share};

/// What an interruption costs.
pub(super) const INTERRUPTION: &str = "\
Every answer is written to the ledger before it counts. Ctrl-C stops sending requests and waits for those in flight; \
a second Ctrl-C drops them and ends the process within a second. Before and after judging, Ctrl-C ends it at once. \
Run the same command again to continue: only dropped answers are paid for twice.";

/// The judges of a command, and their settings.
#[derive(Debug, Args)]
pub(crate) struct JudgeOptions {
    /// A judge of llull.toml, or provider/model, similarity, recorded:FILE, replay:FILE; repeat for a panel
    #[arg(long = "judge", value_name = "JUDGE")]
    pub(crate) judges: Vec<String>,
    /// The address of the models' server, such as http://localhost:11434/v1. The provider's key is sent there
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// Whether judges grade documents, or compare them
    #[arg(long, value_name = "PARADIGM", value_parser = paradigm())]
    pub(crate) paradigm: Option<Paradigm>,
    /// The prompt: graded, graded-direct, umbrela, pairwise, listwise, setwise, or a template file
    #[arg(long, value_name = "PROMPT")]
    pub(crate) prompt: Option<String>,
    /// How many of each system's documents are judged
    #[arg(long, value_name = "K", value_parser = pool_depth)]
    pub(crate) depth: Option<usize>,
    /// The seed of everything random
    #[arg(long)]
    pub(crate) seed: Option<u64>,
}

/// The rate and the limits of requests, for commands that judge.
#[derive(Debug, Args)]
pub(crate) struct AskingOptions {
    /// How many requests are sent at once
    #[arg(long, value_name = "N", value_parser = concurrency)]
    pub(crate) concurrency: Option<usize>,
    /// Stop this run after so many requests; the same command goes on. A budget in llull.toml holds for
    /// all runs
    #[arg(long, value_name = "N")]
    pub(crate) max_calls: Option<u64>,
    /// Stop this run after so many tokens of prompts and replies
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<u64>,
    /// Stop this run after so many US dollars; needs prices
    #[arg(long, value_name = "USD", value_parser = dollars)]
    pub(crate) max_usd: Option<f64>,
    /// The share of questions that llull repeats to check the judges, at least 30; 0 for none. Their answers are no
    /// votes. 0.05 by default where judges compare; where they grade 0.01, and none where fewer than 30 are graded
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub(crate) recheck: Option<f64>,
    /// Repeat questions that a judge's server refused because of their text (a content filter, too long). Other runs
    /// skip them
    #[arg(long, value_name = "WHAT", value_parser = ["refused"])]
    pub(crate) retry: Option<String>,
}

impl AskingOptions {
    /// The time before which refused questions are retried: now, so that this run retries each once.
    pub(crate) fn retry_refused(&self) -> Option<i64> {
        self.retry.as_ref().map(|_refused| {
            let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
        })
    }

    /// The settings that these options override.
    pub(crate) fn overrides(&self) -> Overrides {
        Overrides {
            concurrency: self.concurrency,
            max_calls: self.max_calls,
            max_tokens: self.max_tokens,
            max_usd: self.max_usd,
            recheck: self.recheck,
            retry_refused: self.retry_refused(),
            ..Overrides::default()
        }
    }
}

/// What a run goes on in spite of.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct StoppingOptions {
    /// Do not stop a judge whose replies are unusable (20 in a row, or most of the first 100)
    #[arg(long)]
    pub(crate) keep_going: bool,
    /// Continue with a ledger that has lost attempts; the missing ones are paid for again
    #[arg(long)]
    pub(crate) accept_loss: bool,
}

impl JudgeOptions {
    /// The settings that these options override.
    pub(crate) fn overrides(&self) -> Overrides {
        Overrides {
            judges: self.judges.clone(),
            base_url: self.base_url.clone(),
            seed: self.seed,
            depth: self.depth,
            prompt: self.prompt.clone(),
            paradigm: self.paradigm,
            ..Overrides::default()
        }
    }
}

pub(super) fn paradigm() -> impl TypedValueParser<Value = Paradigm> {
    PossibleValuesParser::new(Paradigm::ALL.map(Paradigm::name)).try_map(|name| {
        let named = Paradigm::ALL.into_iter().find(|paradigm| paradigm.name() == name);
        named.ok_or("there is no such paradigm")
    })
}
