//! The arguments of `llull prompt`.

use clap::Args;

use super::judge_options::JudgeOptions;

const AFTER_HELP: &str = "\
Examples:
  llull prompt                                     the first pair of the pool, for each judge
  llull prompt --query q01 --document p104         one pair
  llull prompt --judge openai/gpt-4o-mini --prompt umbrela   another judge, another template

No model is contacted and no key is needed.";

/// `llull prompt`
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct PromptArgs {
    /// The query's id; by default the first of the pool
    #[arg(long, alias = "topic", value_name = "ID")]
    pub(crate) query: Option<String>,
    /// The document's id; by default the query's first in the pool
    #[arg(long, value_name = "ID")]
    pub(crate) document: Option<String>,
    #[command(flatten)]
    pub(crate) judges: JudgeOptions,
}
