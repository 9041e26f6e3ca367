//! The arguments of `llull evaluate`.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

use super::answer_review::AnswerReview;
use super::ci_outputs::CiOutputs;
use super::format::{FIGURES_AS_CSV, FIGURES_AS_JSONL, Format, formats};
use super::judge_options::{AskingOptions, StoppingOptions};
use super::study_flags::INTERVALS;

const AFTER_HELP: &str = "\
Examples:
  llull evaluate questions.json --results dense.jsonl -m HitRate@4 -m Recall@4
  llull evaluate questions.json --retriever bm25 --retriever dense --corpus docs.jsonl -m HitRate@4
  llull evaluate questions.json --retriever live -m HitRate@4
  llull evaluate questions.csv --results bm25.jsonl --results dense.jsonl -m nDCG@10 -q
  llull evaluate questions.json --results dense.jsonl --judge 'semantic(threshold=0.75)'
  llull evaluate questions.json --results dense.jsonl --judge openai/gpt-4o-mini --ledger answers.sqlite
  llull review questions.json --results dense.jsonl --ledger answers.sqlite --as anna
  llull evaluate questions.json --results dense.jsonl --ledger answers.sqlite --judge person/anna
  llull evaluate questions.json --results dense.jsonl --facts facts.jsonl --nugget-share 0.75
  llull evaluate questions.json --results dense.jsonl --facts facts.jsonl --facts-by openai/gpt-4o --ledger l.sqlite
  llull evaluate questions.json --results bm25.jsonl --results dense.jsonl --report found
  llull evaluate questions.json --results dense.jsonl --judge token-overlap-evret -m MRR@4 --format jsonl
  llull evaluate questions.json --results dense.jsonl --gate 'value(R@10) > 0.8' --junit gates.xml

DATASET is JSON, {\"queries\": [{\"query_id\", \"query_text\", \"expected_answers\": [...]}]}, or CSV with these \
columns. A cell of expected_answers is one answer; several are a JSON list, or the column again. A line of RESULTS \
is {\"query_id\", \"results\": [{\"doc_id\", \"text\", \"score\"}]}, best result first. Each result counts for the \
first expected answer that it holds and that no better result has taken. With several results systems are compared: \
the first is the baseline, p is of a permutation test, corrected by Holm. docs/reference/expected-answers.md explains \
how answers are found.";

/// `llull evaluate`
#[derive(Debug, Default, Args)]
#[command(after_help = format!("{AFTER_HELP}\n\n{INTERVALS}"))]
#[command(group(ArgGroup::new("found").args(["results", "retrievers"]).required(true).multiple(true)))]
pub(crate) struct EvaluateArgs {
    /// Questions with expected answers or documents: JSON, CSV, Parquet or a workbook, plain, .gz or .zst
    pub(crate) dataset: PathBuf,
    /// The separator of several expected answers in one cell of a CSV, such as ;. Without it a cell is one answer.
    /// evret's files have commas: --answers-separator ,
    #[arg(long, value_name = "TEXT", value_parser = answers_separator)]
    pub(crate) answers_separator: Option<String>,
    /// A retriever's results: JSON lines or any other results with texts, plain, .gz or .zst; repeat for more. Each is
    /// named after its file
    #[arg(long, value_name = "FILE")]
    pub(crate) results: Vec<PathBuf>,
    /// A retriever to ask: a system of llull.toml, or bm25, ngram, fts5 or dense over --corpus; repeat for more. The
    /// system may be a program or a server. Without --corpus, the dataset's documents are searched
    #[arg(long = "retriever", value_name = "NAME")]
    pub(crate) retrievers: Vec<String>,
    /// The documents that bm25, ngram, fts5 and dense search: CSV, TSV, JSON, JSONL or a BEIR folder
    #[arg(long, value_name = "FILE", requires = "retrievers")]
    pub(crate) corpus: Option<PathBuf>,
    /// Run programs and query servers again, although their results for these queries are saved
    #[arg(long, requires = "retrievers")]
    pub(crate) refresh: bool,
    /// The judge of whether a result holds an answer; repeat for several (a panel), whose median counts
    ///
    /// token-overlap (the default), token-overlap-evret, semantic, a language model (PROVIDER/MODEL), a judge of the
    /// study's llull.toml, which may be a program or a server of your own, an annotator of llull review (person/NAME),
    /// or all annotators (people).
    ///
    /// Judges that compute take options: 'token-overlap(min_tokens=3, threshold=0.6, query_boost=false,
    /// stop_words=english, stemming=english)', 'semantic(encoder=openai/text-embedding-3-small, threshold=0.7)'.
    #[arg(long = "judge", value_name = "JUDGE")]
    pub(crate) judges: Vec<String>,
    /// The address of the models' server, or of the encoder's, if not its provider's own
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// The rubric of language models and judges of your own: a passage with a grade from its cutoff on holds the
    /// answer. By default one of two grades, no and yes
    #[arg(long, value_name = "FILE")]
    pub(crate) rubric: Option<PathBuf>,
    /// The facts of each expected answer, a line of {"answer", "facts": [...]} each: judges judge facts, and a passage
    /// holds an answer by the share of its facts that it supports
    #[arg(long, value_name = "FILE")]
    pub(crate) facts: Option<PathBuf>,
    /// Have a language model (PROVIDER/MODEL, or one of the study's llull.toml) make the facts that --facts FILE lacks,
    /// and add them to the file, where you can correct them. The model is paid for each answer once
    #[arg(long, value_name = "MODEL", requires = "facts")]
    pub(crate) facts_by: Option<String>,
    /// The share of an answer's facts from which on a passage holds it, above 0 and at most 1 [default: 0.5]
    #[arg(long, value_name = "SHARE", requires = "facts")]
    pub(crate) nugget_share: Option<f64>,
    /// The file for judges' answers, so that none is paid for twice. By default the study's ledger, in a study's folder
    #[arg(long, value_name = "FILE")]
    pub(crate) ledger: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) asking: AskingOptions,
    #[command(flatten)]
    pub(crate) stopping: StoppingOptions,
    /// Estimate the remaining requests, and send none
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// A measure, such as nDCG@10 or AP, also by evret's names, such as HitRate@4; repeat for more. Default:
    /// Success@10, R@10, RR@10 and nDCG@10
    #[arg(short = 'm', long = "measure", value_name = "MEASURE")]
    pub(crate) measures: Vec<String>,
    /// Print for every query which answer was found where and by which passage, and for which no passage counts
    #[arg(short = 'q', long)]
    pub(crate) per_query: bool,
    /// Also write report.html, report.md and report.json into this folder. They have the decision, every system's
    /// figures, and the found and missed answers of every query
    #[arg(long, value_name = "DIR")]
    pub(crate) report: Option<PathBuf>,
    /// Leave the texts of questions, answers and passages out of report.html, report.md and report.json
    #[arg(long, requires = "report")]
    pub(crate) no_texts: bool,
    /// The format of the result; --json is short for --format json
    #[arg(long, value_parser = formats([
        (Format::Table, "For people: figures with intervals, and comparisons"),
        (Format::Json, "For programs: the same, and which answer was found where for every query"),
        FIGURES_AS_JSONL,
        FIGURES_AS_CSV,
        (Format::Markdown, "For pull requests and notebooks: the same tables"),
    ]))]
    pub(crate) format: Option<Format>,
    /// A condition that must hold, such as 'low(R@10) >= -0.05' on the difference from the first system, or
    /// 'value(R@10) > 0.8' on a figure; repeat for more. If one fails, the exit code is 100
    #[arg(long, value_name = "EXPR")]
    pub(crate) gate: Vec<String>,
    #[command(flatten)]
    pub(crate) ci: CiOutputs,
    /// A review in place of the evaluation, as `llull review` has it.
    #[arg(skip)]
    pub(crate) review: Option<AnswerReview>,
}

/// Parses what separates answers. A tab and a line end are written \t and \n.
pub(super) fn answers_separator(text: &str) -> Result<String, String> {
    match text {
        "" => Err("must not be empty".into()),
        "\\t" => Ok("\t".into()),
        "\\n" => Ok("\n".into()),
        text => Ok(text.into()),
    }
}
