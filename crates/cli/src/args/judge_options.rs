//! Options of all commands that judge, or estimate judging.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use llull::config::{BudgetSettings, Overrides};
use llull::core::Paradigm;

use super::number_ranges::dollars;

/// What an interruption costs.
pub(super) const INTERRUPTION: &str = "\
Every answer is saved in the ledger at once. Ctrl-C stops sending requests and waits for those in flight; \
a second Ctrl-C drops them and ends the command within a second. While nothing is being judged, Ctrl-C ends the \
command at once. Run the same command again to continue. No saved reply is paid for twice. A dropped request may be \
paid for twice.";

/// The judges of a command, and their settings.
#[derive(Debug, Args)]
pub(crate) struct JudgeOptions {
    /// The judge: a name in llull.toml; provider/model; replay:FILE (labels from a file, without a model);
    /// recorded:FILE (a model's raw replies, from llull ledger export); or similarity, which counts shared words.
    /// Repeat to use several judges together (a panel)
    #[arg(long = "judge", value_name = "JUDGE")]
    pub(crate) judges: Vec<String>,
    /// The address of the models' server, such as http://localhost:11434/v1. The key is sent there
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// The environment variable that holds a judge's key (not the key itself). Repeat for other judges
    #[arg(long = "key", value_name = "JUDGE=VARIABLE")]
    pub(crate) keys: Vec<String>,
    /// Whether judges grade documents, or compare them
    #[arg(long, value_name = "PARADIGM", value_parser = paradigm())]
    pub(crate) paradigm: Option<Paradigm>,
    /// The prompt: graded (rationale and grade), graded-direct or umbrela (grade alone), pairwise (the better of two),
    /// listwise (an order), setwise (the best of several), or a template file
    #[arg(long, value_name = "PROMPT")]
    pub(crate) prompt: Option<String>,
}

/// The limits of requests, for commands that judge.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct AskingOptions {
    /// Stop this run after so many requests; repeat the command to continue. A budget in llull.toml limits all
    /// runs together
    #[arg(long, value_name = "N")]
    pub(crate) max_calls: Option<u64>,
    /// Stop this run after so many US dollars; needs `price` in llull.toml, unless the provider reports prices
    #[arg(long, value_name = "USD", value_parser = dollars)]
    pub(crate) max_usd: Option<f64>,
}

impl AskingOptions {
    /// The limits of this run.
    pub(crate) fn limits(self) -> BudgetSettings {
        BudgetSettings { calls: self.max_calls, tokens: None, usd: self.max_usd }
    }

    /// The settings that these options override.
    pub(crate) fn overrides(&self) -> Overrides {
        Overrides { max_calls: self.max_calls, max_usd: self.max_usd, ..Overrides::default() }
    }
}

/// The form of progress.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressForm {
    #[default]
    Text,
    Json,
}

/// What a run goes on in spite of, and how it sends requests.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct StoppingOptions {
    /// Continue with a judge whose replies are unparsable. Without this llull stops the judge after 20 unparsable
    /// replies in a row, or if most of its first 100 replies are unparsable
    #[arg(long)]
    pub(crate) keep_going: bool,
    /// Continue although the ledger has lost replies, for example because a file was deleted. The lost replies and all
    /// unfinished batches are then paid for again
    #[arg(long)]
    pub(crate) accept_loss: bool,
    /// Send nothing more after so many minutes, and stop when the last reply is there; repeat the command to continue
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_minutes: Option<u32>,
    /// The form of progress on standard error: text, or one JSON object per line, at most one per second
    ///
    /// The fields of an object are event (always "progress"), seconds, per_second, seconds_left, done, total, unusable,
    /// refused, failed, gave_up, usd, unpriced, and judges with the counts of each. While no reply arrives, no object
    /// is written. Warnings and errors stay lines of text
    #[arg(long, value_name = "FORM", value_enum, default_value_t)]
    pub(crate) progress: ProgressForm,
    /// Whether waves are sent as batches; only `llull run` has a flag for it.
    #[arg(skip)]
    pub(crate) batch: bool,
}

impl JudgeOptions {
    /// The settings that these options override.
    pub(crate) fn overrides(&self) -> Overrides {
        Overrides {
            judges: self.judges.clone(),
            base_url: self.base_url.clone(),
            keys: self.keys.clone(),
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
