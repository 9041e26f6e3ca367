//! The arguments of `llull prompt`.

use std::path::PathBuf;

use clap::Args;
use llull::judge::QuestionCategory;

use super::judge_options::JudgeOptions;

const AFTER_HELP: &str = "\
Examples:
  llull prompt                                     the first pair of the pool, for each judge
  llull prompt --query q01 --document p104         one pair
  llull prompt --judge openai/gpt-4o-mini --prompt umbrela   another judge, another template
  llull prompt --facts 'Bern, on the Aare'         llull evaluate's request for the facts of an answer
  llull prompt --synthesize docs.jsonl             llull synthesize's request for a question

No model is contacted and no key is needed.";

/// The options about a study's judges.
const STUDY: [&str; 7] = ["query", "document", "judges", "base_url", "keys", "paradigm", "prompt"];

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
    /// The request for the facts of this expected answer, as llull evaluate makes it, in place of a judge's
    #[arg(long, value_name = "ANSWER", conflicts_with_all = STUDY.iter().chain(&["synthesize"]))]
    pub(crate) facts: Option<String>,
    /// The request for a question about a passage of these documents, as llull synthesize makes it
    #[arg(long, value_name = "DOCUMENTS", conflicts_with_all = STUDY)]
    pub(crate) synthesize: Option<PathBuf>,
    /// The category of that question [default: direct-fact]
    #[arg(long, value_name = "NAME", requires = "synthesize")]
    pub(crate) category: Option<QuestionCategory>,
    #[command(flatten)]
    pub(crate) judges: JudgeOptions,
}
