//! The arguments of `llull run`.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::{Args, ValueEnum};
use llull::config::Overrides;
use llull::core::AskAgain;

use super::QueryFlags;
use super::ci_outputs::CiOutputs;
use super::judge_options::{AskingOptions, INTERRUPTION, JudgeOptions, StoppingOptions};
use super::number_ranges::pool_depth;

const EXAMPLES: &str = "\
Examples:
  llull run                                       the settings of llull.toml
  llull run --judge openai/gpt-4o-mini            another judge
  llull run --judge openai/qwen3 --base-url http://localhost:11434/v1
                                                  a local one, behind any OpenAI-compatible server
  llull run --judge replay:human.qrels            labels made elsewhere
  llull run --dry-run                             the remaining requests, and their price
  llull run --max-calls 100                       a hundred requests now, the rest later";

/// Where settings and keys come from.
const SETTINGS: &str = "\
Settings: the command line overrides the environment (LLULL_JUDGE, LLULL_BASE_URL, LLULL_SEED, LLULL_CONCURRENCY), \
which overrides llull.toml. Keys (OPENAI_API_KEY, OPENROUTER_API_KEY ...) are read from the environment, or from a \
file named .env in the study's folder. If you start llull in a folder above the study, the .env of that folder is \
read, too. A key is sent to its model's server and nowhere else. NO_COLOR is honoured.";

/// What `--retry` repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Retried {
    Refused,
    Unparsable,
}

/// `llull run`
#[derive(Debug, Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{INTERRUPTION}\n\n{SETTINGS}\n\n{}", crate::exit::help()))]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) judges: JudgeOptions,
    #[command(flatten)]
    pub(crate) asking: AskingOptions,
    /// Repeat requests that the server refused because of their text (a content filter, too long), or requests with
    /// unparsable replies. Without this a run skips both. Failed requests (network, server) need no option: every run
    /// repeats them
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',')]
    pub(crate) retry: Vec<Retried>,
    #[command(flatten)]
    pub(crate) stopping: StoppingOptions,
    /// Send requests by the batch API of the provider (OpenAI, Azure, Anthropic, Gemini, Bedrock), at half price, and
    /// wait until each batch ends: after a day at most (Bedrock: after the `hours` in llull.toml). Ctrl-C stops
    /// waiting; the same command continues, also on another machine that has the ledger's file. If a limit in dollars
    /// or tokens is set, every reply is assumed to have the longest length allowed, and the batch is sent only if that
    /// fits the limit
    #[arg(long)]
    pub(crate) batch: bool,
    /// For judges that compare: judge only the pairs of documents in this file. Its lines are `query a b`. A
    /// file of comparisons that `llull rank` reads works as well; its winners are ignored. Every document in the file
    /// must be in the pool
    #[arg(long, value_name = "FILE", conflicts_with_all = ["batch", "dry_run", "no_report", "verbose"])]
    pub(crate) pairs: Option<PathBuf>,
    /// Judge only the pairs that are new, or whose texts changed, since an earlier report, and keep the report's
    /// labels of all others. Use it in CI that does not keep the ledger between runs. Where the ledger is kept, you do
    /// not need it: every run judges new pairs only. REPORT is a report's number, as `llull history` shows it, or a
    /// folder with report.json and .llull/reports. Without REPORT, the study's last report is used. This run must have
    /// the same judges, prompts and rubric as that report, and in that report every judge must have passed its checks
    #[arg(long, value_name = "REPORT", num_args = 0..=1, conflicts_with = "pairs")]
    pub(crate) changed: Option<Option<String>>,
    /// Estimate the remaining requests, and send none
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// A measure, such as nDCG@10, RR@10, P(rel=2)@5; repeat for more; the first decides the verdict
    #[arg(short = 'm', long = "measure", value_name = "MEASURE")]
    pub(crate) measures: Vec<String>,
    /// The system that the others are compared with
    #[arg(long, value_name = "SYSTEM")]
    pub(crate) baseline: Option<String>,
    /// How many documents of each system are judged for a query
    #[arg(long, value_name = "K", value_parser = pool_depth)]
    pub(crate) depth: Option<usize>,
    /// Print more: the figures of all measures, how many labels each grade has, and the cost
    #[arg(short, long)]
    pub(crate) verbose: bool,
    /// Decide although a judge failed a check
    #[arg(long)]
    pub(crate) ignore_checks: bool,
    /// Stop after judging: print the counts of each judge, and write no report
    #[arg(long, conflicts_with_all = [
        "measures", "baseline", "verbose", "ignore_checks", "no_texts", "junit", "github", "comment",
    ])]
    pub(crate) no_report: bool,
    /// Leave the texts of queries and documents, and the judges' rationales, out of report.html, report.md and
    /// report.json
    #[arg(long)]
    pub(crate) no_texts: bool,
    #[command(flatten)]
    pub(crate) queries: QueryFlags,
    #[command(flatten)]
    pub(crate) ci: CiOutputs,
}

impl RunArgs {
    /// The answers up to now whose questions are repeated, so that this run repeats each once.
    fn ask_again(&self) -> Option<AskAgain> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        (!self.retry.is_empty()).then(|| AskAgain {
            refused: self.retry.contains(&Retried::Refused),
            unparsable: self.retry.contains(&Retried::Unparsable),
            before_ms: i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
        })
    }

    /// The settings that these options override.
    pub(crate) fn overrides(&self) -> Overrides {
        let own = Overrides {
            measures: self.measures.clone(),
            baseline: self.baseline.clone(),
            ignore_checks: self.ignore_checks,
            depth: self.depth,
            ask_again: self.ask_again(),
            ..Overrides::default()
        };
        self.judges.overrides().over(self.asking.overrides()).over(own).over(self.queries.overrides())
    }
}
