//! The arguments of `llull synthesize`.

use std::path::PathBuf;

use clap::Args;
use llull::synthesis::{CategoryShare, DEFAULT_PASSAGE_TOKENS, SynthesisOptions};

use super::judge_options::{AskingOptions, INTERRUPTION, StoppingOptions};
use super::number_ranges::{at_least_one, share};

const AFTER_HELP: &str = "\
Examples:
  llull synthesize docs.jsonl -o questions.json --model openai/gpt-4o --check anthropic/claude-3-5-haiku \
--ledger written.sqlite
  llull synthesize docs.jsonl -o questions.csv --model ollama/qwen2.5:14b --check ollama/llama3.1:8b -n 200 \
--category detail=0.5 --category paraphrase=0.3 --category out-of-context=0.2 --ledger written.sqlite
  llull synthesize docs.jsonl -o questions.json --model openai/gpt-4o --check anthropic/claude-3-5-haiku \
--ledger written.sqlite --dry-run
  llull evaluate questions.json --retriever bm25 --corpus docs.jsonl -m HitRate@4

llull cuts documents into passages, and the model writes a question of a category about each drawn passage: \
direct-fact, paraphrase, keyword, detail, summary, out-of-context. Questions that are the same as another, or \
nearly, are dropped; --check has a second model check whether the passage gives the expected answer (out of context: \
that neither it nor the nearest other passages do), and failed questions are left out. Every question is marked as \
synthetic in `origin`, and llull evaluate states that with every figure. docs/reference/expected-answers.md has the \
details.";

/// `llull synthesize`
#[derive(Debug, Args)]
#[command(after_help = format!("{AFTER_HELP}\n\n{INTERRUPTION}"))]
pub(crate) struct SynthesizeArgs {
    /// The documents to write questions about: CSV, TSV, JSON, JSONL or a BEIR folder
    pub(crate) documents: PathBuf,
    /// The dataset to write, as llull evaluate reads it: CSV if its name ends in .csv, or else JSON; - for standard
    /// output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// The language model that writes, PROVIDER/MODEL, or a judge of the study's llull.toml
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: String,
    /// The language model that checks whether a passage answers its question: another one; same for the writer itself,
    /// none for nobody
    #[arg(long, value_name = "MODEL")]
    pub(crate) check: String,
    /// How many questions are wanted
    #[arg(short = 'n', long, value_name = "N", default_value_t = 50, value_parser = at_least_one)]
    pub(crate) questions: usize,
    /// A category, and perhaps its share of the questions; repeat for more. By default all: direct-fact=0.25,
    /// paraphrase=0.2, keyword=0.15, detail=0.15, summary=0.15, out-of-context=0.1
    #[arg(long = "category", value_name = "NAME[=SHARE]", value_parser = category)]
    pub(crate) categories: Vec<CategoryShare>,
    /// The most questions about one document. By default any number, but documents take turns
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) per_document: Option<usize>,
    /// How long a passage is at most, in estimated tokens
    #[arg(long, value_name = "N", default_value_t = DEFAULT_PASSAGE_TOKENS, value_parser = passage_tokens)]
    pub(crate) passage_tokens: u32,
    /// The share of their words from which two questions are nearly the same
    #[arg(long, value_name = "SHARE", default_value_t = SynthesisOptions::DEFAULT_SIMILAR, value_parser = share)]
    pub(crate) similar: f64,
    /// The encoder of questions, to drop those that mean nearly the same, and of all passages, to check a question out
    /// of context against the nearest: minilm, or PROVIDER/MODEL, such as openai/text-embedding-3-small. Without it
    /// words alone are compared
    #[arg(long, value_name = "ENCODER")]
    pub(crate) encoder: Option<String>,
    /// The lowest cosine of two questions that mean nearly the same, above 0 and at most 1 [default: 0.9]
    #[arg(long, value_name = "COSINE", requires = "encoder", value_parser = share)]
    pub(crate) similar_cosine: Option<f64>,
    /// How many passages of all documents, the nearest by BM25 and --encoder, a question out of context is checked
    /// against where its own does not answer it; 0 for its own alone
    #[arg(long, value_name = "K", default_value_t = SynthesisOptions::DEFAULT_NEAREST)]
    pub(crate) nearest: usize,
    /// The address of the models' server, if not their providers' own
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// The file for replies, so that none is paid for twice. By default the study's ledger, in a study's folder
    #[arg(long, value_name = "FILE")]
    pub(crate) ledger: Option<PathBuf>,
    /// Also write dropped questions and passages into this file, with the reasons, as JSON lines
    #[arg(long, value_name = "FILE")]
    pub(crate) dropped: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) asking: AskingOptions,
    #[command(flatten)]
    pub(crate) stopping: StoppingOptions,
    /// Estimate the requests of the first round, and send none
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// The seed by which documents, passages and categories are drawn
    #[arg(long, default_value_t = 42)]
    pub(crate) seed: u64,
}

/// Parses a category with its share; 1 without one.
fn category(text: &str) -> Result<CategoryShare, String> {
    let (name, share) = text.split_once('=').unwrap_or((text, "1"));
    let category = name.parse().map_err(|error: llull::judge::UnknownCategory| error.to_string())?;
    match share.parse::<f64>() {
        Ok(share) if share > 0.0 && share.is_finite() => Ok(CategoryShare { category, share }),
        _ => Err(format!("{share:?} is no share: write a number above 0, such as {name}=0.5")),
    }
}

/// Parses the length of a passage.
fn passage_tokens(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(tokens) if (20..=20_000).contains(&tokens) => Ok(tokens),
        _ => Err("must be a whole number from 20 to 20,000".into()),
    }
}
