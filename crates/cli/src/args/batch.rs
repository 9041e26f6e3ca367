//! The arguments of `llull batch`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use llull::config::Overrides;

use super::QueryFlags;
use super::judge_options::JudgeOptions;

const AFTER_HELP: &str = "\
Examples:
  llull batch export wave.jsonl                   the next requests
  vllm run-batch -i wave.jsonl -o results.jsonl --model MODEL
  llull batch import results.jsonl                their results; repeat all three until nothing is left

The lines are those of OpenAI's batch files. Results may be in any order, repeated or missing: what has none is exported
again. llull run may send the rest; answers count alike. A wave is a step that needs the answers of the one before; \
llull run --dry-run counts them.";

/// `llull batch`
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct BatchArgs {
    #[command(subcommand)]
    pub(crate) command: BatchCommand,
}

/// What to do with a wave of requests.
#[derive(Debug, Subcommand)]
pub(crate) enum BatchCommand {
    /// Write the requests of the next step (wave) that have no answer; nothing is sent, and no key is needed
    Export {
        /// The file, compressed if it ends in .gz or .zst; - is standard output. One that ends in .parquet is a table
        /// with each body as JSON, for Ray and Spark; import takes JSON lines only. If several judges have requests,
        /// each has a file of its own: of wave.jsonl, wave.JUDGE.jsonl
        #[arg(default_value = "-")]
        file: PathBuf,
        /// Write the requests of this judge of the study only
        #[arg(long, value_name = "JUDGE")]
        of: Option<String>,
        /// Write so many requests at most; repeat the command after their import
        #[arg(long, value_name = "N")]
        max_calls: Option<u64>,
        #[command(flatten)]
        judges: JudgeOptions,
        #[command(flatten)]
        queries: QueryFlags,
    },
    /// List the batches that llull run --batch has sent to providers
    Status,
    /// Ask the providers to end all batches; the next llull run --batch records what was done until then
    Cancel,
    /// Record the results of exported requests
    Import {
        /// Files of results, compressed or not; - is standard input
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        #[command(flatten)]
        judges: JudgeOptions,
        #[command(flatten)]
        queries: QueryFlags,
        /// Continue although the ledger has lost replies
        #[arg(long)]
        accept_loss: bool,
    },
}

impl BatchCommand {
    /// The settings that these options override.
    pub(crate) fn overrides(&self) -> Overrides {
        let (judges, queries, max_calls) = match self {
            Self::Export { judges, queries, max_calls, .. } => (judges, queries, *max_calls),
            Self::Import { judges, queries, .. } => (judges, queries, None),
            Self::Status | Self::Cancel => return Overrides::default(),
        };
        let own = Overrides { max_calls, ..Overrides::default() };
        judges.overrides().over(own).over(queries.overrides())
    }
}
