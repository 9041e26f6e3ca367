//! The arguments of `llull run`.

use clap::Args;
use llull::config::Overrides;

use super::judge_options::{AskingOptions, INTERRUPTION, JudgeOptions, StoppingOptions};
use super::study_flags::MethodFlag;

const EXAMPLES: &str = "\
Examples:
  llull run                                       the settings of llull.toml
  llull run --judge openai/gpt-4o-mini            another judge
  llull run --judge openai/qwen3 --base-url http://localhost:11434/v1
                                                  a local one, behind any OpenAI-compatible server
  llull run --judge replay:human.qrels            labels made elsewhere
  llull run --dry-run                             the remaining requests, and their price
  llull run --max-calls 100                       a hundred requests now, the rest later";

/// `llull run`
#[derive(Debug, Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{INTERRUPTION}"))]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) judges: JudgeOptions,
    #[command(flatten)]
    pub(crate) asking: AskingOptions,
    #[command(flatten)]
    pub(crate) stopping: StoppingOptions,
    /// Estimate the remaining requests, and send none
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// A measure, such as nDCG@10, RR@10, P(rel=2)@5; repeat for more; the first decides
    #[arg(short = 'm', long = "measure", value_name = "MEASURE")]
    pub(crate) measures: Vec<String>,
    /// The system that the others are compared with
    #[arg(long, value_name = "SYSTEM")]
    pub(crate) baseline: Option<String>,
    #[command(flatten)]
    pub(crate) method: MethodFlag,
    /// Print the figures of all measures, the labels and the cost as well
    #[arg(short, long)]
    pub(crate) verbose: bool,
    /// Decide although a judge failed a check
    #[arg(long)]
    pub(crate) ignore_checks: bool,
    /// Leave the texts of queries and documents, and the judges' rationales, out of report.html, report.md and
    /// report.json
    #[arg(long)]
    pub(crate) no_texts: bool,
}

impl RunArgs {
    /// The settings that these options override.
    pub(crate) fn overrides(&self) -> Overrides {
        let own = Overrides {
            measures: self.measures.clone(),
            baseline: self.baseline.clone(),
            ignore_checks: self.ignore_checks,
            method: self.method.method,
            ..Overrides::default()
        };
        self.judges.overrides().over(self.asking.overrides()).over(own)
    }
}
