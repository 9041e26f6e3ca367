//! The arguments of `llull export`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::format::{Format, formats};
use super::number_ranges::{at_least_one, part};
use super::study_flags::AS_LAST_RUN;
use super::{LabelReading, RunReading};

const AFTER_HELP: &str = "\
Examples:
  llull export labels -o labels.csv               the study's labels as CSV; by its ending also .json, .xlsx, .parquet
  llull export letor -o train.txt                 a judgment list, with scores and ranks as features
  llull export fine-tune --split 0.1 -o chat.jsonl
                                                  prompts and replies, to train a small judge with
  llull export quepid --qrels human.qrels --topics topics.tsv -o quepid.csv
                                                  plain files instead of a study

A pair without a label is left out, never written as 0; llull counts these pairs and ends with exit code 3.
fine-tune has recorded attempts and no labels, so it ends with 0 whatever is unlabelled.";

/// `llull export`
#[derive(Debug, Args)]
#[command(after_help = format!("{AFTER_HELP}\n\n{AS_LAST_RUN}"))]
pub(crate) struct ExportArgs {
    #[command(subcommand)]
    pub(crate) what: Export,
}

/// What is exported.
#[derive(Debug, Subcommand)]
pub(crate) enum Export {
    /// Labels as CSV, TSV, JSON, JSON lines, Parquet, xlsx or qrels
    Labels(ExportLabels),
    /// Systems' results as CSV, TSV, JSON, JSON lines, Parquet, xlsx or TREC
    Runs(ExportRuns),
    /// A judgment list with features, for LETOR, SVMrank, LightGBM, XGBoost
    Letor(ExportLetor),
    /// Pairs of documents of which one is better, with weights
    Pairs(ExportPairs),
    /// Judgments for the import of Quepid
    Quepid(ExportQuepid),
    /// A _rank_eval request of Elasticsearch or OpenSearch
    RankEval(ExportRankEval),
    /// Judgments for OpenSearch's Search Relevance Workbench
    Opensearch(ExportOpensearch),
    /// Prompts and replies as chats, to train a language model with
    FineTune(ExportFineTune),
}

/// The file to write.
#[derive(Debug, Args)]
pub(crate) struct ExportOutput {
    /// The file to write, compressed if it ends in .gz or .zst; - is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true)]
    pub(crate) output: PathBuf,
}

/// The labels to export.
#[derive(Debug, Args)]
pub(crate) struct ExportedLabels {
    /// Labels of a file instead of a study's
    #[arg(long, value_name = "FILE")]
    pub(crate) qrels: Option<PathBuf>,
    /// The human labels of the study's sample instead of the judges' labels
    #[arg(long, conflicts_with = "qrels")]
    pub(crate) human: bool,
    #[command(flatten)]
    pub(crate) reading: LabelReading,
}

/// The labels to export, by the texts of their queries.
#[derive(Debug, Args)]
pub(crate) struct ExportedRatings {
    #[command(flatten)]
    pub(crate) labels: ExportedLabels,
    /// The texts of the queries of --qrels: CSV, TSV, JSON, JSONL or a BEIR folder
    #[arg(long, value_name = "FILE", requires = "qrels")]
    pub(crate) topics: Option<PathBuf>,
}

/// `llull export labels`
#[derive(Debug, Args)]
pub(crate) struct ExportLabels {
    #[command(flatten)]
    pub(crate) labels: ExportedRatings,
    /// Add the text of each query
    #[arg(long)]
    pub(crate) texts: bool,
    /// The format; by default that of the file's ending, or else csv
    #[arg(long, value_parser = formats([
        (Format::Csv, "Columns query, document, grade, source (judge, base, human, or the file's name)"),
        (Format::Tsv, "The same, between tabs"),
        (Format::Jsonl, "The same, an object on each line"),
        (Format::Parquet, "The same, as a data frame"),
        (Format::Xlsx, "The same, as a workbook"),
        (Format::Json, r#"{"query": {"document": grade}}, as of pytrec_eval and ranx"#),
        (Format::Trec, "TREC qrels; if there are labels of two sources, the second column is the source"),
    ]))]
    pub(crate) format: Option<Format>,
    #[command(flatten)]
    pub(crate) output: ExportOutput,
}

/// `llull export runs`
#[derive(Debug, Args)]
pub(crate) struct ExportRuns {
    /// Results of a file instead of a study's systems; repeat for more
    #[arg(long = "run", value_name = "FILE")]
    pub(crate) runs: Vec<PathBuf>,
    /// Only this system; repeat for more
    #[arg(long = "system", value_name = "NAME")]
    pub(crate) systems: Vec<String>,
    /// The format; by default that of the file's ending, or else csv
    #[arg(long, value_parser = formats([
        (Format::Csv, "Columns system, query, document, rank, score"),
        (Format::Tsv, "The same, between tabs"),
        (Format::Jsonl, "The same, an object on each line"),
        (Format::Parquet, "The same, as a data frame"),
        (Format::Xlsx, "The same, as a workbook"),
        (Format::Json, r#"{"query": {"document": score}} of one system, as of pytrec_eval and ranx"#),
        (Format::Trec, "A TREC run of one system"),
    ]))]
    pub(crate) format: Option<Format>,
    #[command(flatten)]
    pub(crate) output: ExportOutput,
    #[command(flatten)]
    pub(crate) reading: RunReading,
}

const LETOR_HELP: &str = "\
A line is `grade qid:1 1:7.5 2:0.5 # document`. Comments above have the name of each feature, and the identifier of \
each query by its number. Without --features the features are each system's score and 1/rank; a document that a \
system did not return has neither, and the line leaves them out.";

/// `llull export letor`
#[derive(Debug, Args)]
#[command(after_help = LETOR_HELP)]
pub(crate) struct ExportLetor {
    #[command(flatten)]
    pub(crate) labels: ExportedLabels,
    /// Results whose scores and ranks are the features of --qrels; repeat for more
    #[arg(long = "run", value_name = "FILE", requires = "qrels")]
    pub(crate) runs: Vec<PathBuf>,
    /// A table with columns query, document and one for each feature, instead of scores and ranks. Without a query
    /// column they are features of documents, as in a catalogue
    #[arg(long, value_name = "FILE", conflicts_with = "runs")]
    pub(crate) features: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: ExportOutput,
    #[command(flatten)]
    pub(crate) run_reading: RunReading,
}

const PAIRS_HELP: &str = "\
The weight is the difference of the two grades, or in studies whose judges compare documents the lead of the better \
document in votes. Pairs with equal grades, or without a lead, are left out.";

/// `llull export pairs`
#[derive(Debug, Args)]
#[command(after_help = PAIRS_HELP)]
pub(crate) struct ExportPairs {
    #[command(flatten)]
    pub(crate) labels: ExportedLabels,
    /// The format; by default that of the file's ending, or else csv
    #[arg(long, value_parser = formats([
        (Format::Csv, "Columns query, better, worse, weight"),
        (Format::Tsv, "The same, between tabs"),
        (Format::Jsonl, "The same, an object on each line"),
        (Format::Parquet, "The same, as a data frame"),
        (Format::Xlsx, "The same, as a workbook"),
    ]))]
    pub(crate) format: Option<Format>,
    #[command(flatten)]
    pub(crate) output: ExportOutput,
}

/// `llull export quepid`
#[derive(Debug, Args)]
#[command(after_help = "The columns are query, docid and rating. Quepid knows queries by their text.")]
pub(crate) struct ExportQuepid {
    #[command(flatten)]
    pub(crate) labels: ExportedRatings,
    #[command(flatten)]
    pub(crate) output: ExportOutput,
}

const RANK_EVAL_HELP: &str = "\
Example:
  llull export rank-eval --index docs --field title --field text -o request.json
  curl -H 'Content-Type: application/json' localhost:9200/docs/_rank_eval -d @request.json

The request measures nDCG of a multi_match search; edit its searches to measure others.";

/// `llull export rank-eval`
#[derive(Debug, Args)]
#[command(after_help = RANK_EVAL_HELP)]
pub(crate) struct ExportRankEval {
    /// The index with the documents
    #[arg(long, value_name = "NAME")]
    pub(crate) index: String,
    /// A field in which queries are searched; repeat for more [default: text]
    #[arg(long = "field", value_name = "FIELD", default_value = "text", hide_default_value = true)]
    pub(crate) fields: Vec<String>,
    /// How many documents of each query count
    #[arg(short = 'k', long, value_name = "K", default_value_t = 10, value_parser = at_least_one)]
    pub(crate) cutoff: usize,
    #[command(flatten)]
    pub(crate) labels: ExportedRatings,
    #[command(flatten)]
    pub(crate) output: ExportOutput,
}

const OPENSEARCH_HELP: &str = "\
Example:
  llull export opensearch --name spring -o judgments.json
  curl -X PUT -H 'Content-Type: application/json' \\
       localhost:9200/_plugins/_search_relevance/judgments -d @judgments.json

The workbench knows queries by their text.";

/// `llull export opensearch`
#[derive(Debug, Args)]
#[command(after_help = OPENSEARCH_HELP)]
pub(crate) struct ExportOpensearch {
    /// The name of the judgments; by default that of the study or of the file
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    #[command(flatten)]
    pub(crate) labels: ExportedRatings,
    #[command(flatten)]
    pub(crate) output: ExportOutput,
}

const FINE_TUNE_HELP: &str = "\
A line is {\"messages\": [...]}: the messages of a prompt, and the judge's reply as the last one. They are of every \
attempt with a verdict whose prompt llull can make again with its recorded hash; the others are counted, with the \
reason.

With --split a share of the queries goes into a second file for validation: out.jsonl has out.validation.jsonl beside \
it. No query is in both; the seed of llull.toml decides.";

/// `llull export fine-tune`
#[derive(Debug, Args)]
#[command(after_help = FINE_TUNE_HELP)]
pub(crate) struct ExportFineTune {
    /// Only replies of this judge; repeat for more. Needed if the ledger has several judges
    #[arg(long = "judge", value_name = "NAME")]
    pub(crate) judges: Vec<String>,
    /// The share of queries for validation, such as 0.1
    #[arg(long, value_name = "SHARE", value_parser = part)]
    pub(crate) split: Option<f64>,
    #[command(flatten)]
    pub(crate) output: ExportOutput,
}
