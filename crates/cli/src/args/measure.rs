//! `llull measure`: what can be typed.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use llull::metrics::Relevant;

/// `llull measure`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  llull measure human.qrels bm25.run dense.run.gz -m nDCG@10 -m 'P(rel=2)@5'\n  \
        llull measure                                the study's systems under its own labels\n  llull measure \
        q.qrels a.run -q --format trec  what trec_eval prints, under its names\n  llull measure q.qrels a.run -m \
        AP -q --format jsonl | jq 'select(.value < 0.1)'\n\nTopics of the qrels that a run does not answer count \
        as 0. Unjudged documents count as not relevant, and are counted. Ties: score descending, then document \
        id descending. trec_eval's names (ndcg_cut_10) work too, and its groups official, set and all_trec."
)]
pub(crate) struct MeasureArgs {
    /// Labels: TREC qrels or BEIR TSV, plain, .gz or .zst; - is standard input
    pub(crate) qrels: Option<PathBuf>,
    /// Runs: TREC, plain, .gz or .zst; each is named after its file
    pub(crate) runs: Vec<PathBuf>,
    /// A measure, such as nDCG@10, nDCG(dcg='exp-log2')@10, AP, RR@10, P(rel=2)@5, R@100, Success@5, Judged@10, or
    /// a group of trec_eval's, such as all_trec; repeat for more. By default those of the study, or nDCG@10; with
    /// --format trec those of official, of preferences those of prefs
    #[arg(short = 'm', long = "measure", value_name = "MEASURE")]
    pub(crate) measures: Vec<String>,
    /// Print every query, too
    #[arg(short = 'q', long)]
    pub(crate) per_query: bool,
    /// Count a query that a run does not answer as 0. That is so without the flag, too: it is here for trec_eval's
    /// scripts
    #[arg(short, long)]
    pub(crate) complete: bool,
    /// Leave the queries out that a run does not answer, as trec_eval does without its -c. A run that leaves its hard
    /// queries out gains by it
    #[arg(long, conflicts_with = "complete")]
    pub(crate) answered_only: bool,
    /// The lowest relevant grade of every measure that has one and is not told another, as in rel=2 [default: 1]
    #[arg(short, long, value_name = "GRADE", requires = "qrels", value_parser = level)]
    pub(crate) level: Option<Relevant>,
    /// Look only at the first so many documents of a query
    #[arg(short = 'M', long, value_name = "N", requires = "qrels", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: Option<u32>,
    /// What the labels' file holds
    #[arg(short = 'R', long, value_name = "FORM", value_enum, default_value = "qrels", requires = "qrels")]
    pub(crate) labels: LabelsForm,
    /// Print z-scores: (figure - mean) / standard deviation, with means and deviations from this file, whose lines are:
    /// topic measure mean deviation
    #[arg(short = 'Z', long, value_name = "FILE", requires = "qrels")]
    pub(crate) zscores: Option<PathBuf>,
    /// The form of the result; --json is short for --format json
    #[arg(long, value_enum)]
    pub(crate) format: Option<MeasureFormat>,
}

/// A grade that can be the lowest relevant one.
fn level(text: &str) -> Result<Relevant, String> {
    let grade = text.parse().ok().and_then(Relevant::from_grade);
    grade.ok_or_else(|| "it is a whole number from 1 up, as in 2".to_owned())
}

/// What a file of labels holds; all but the last in trec_eval's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum LabelsForm {
    /// Grades; the second column is not looked at
    Qrels,
    /// Grades of several judges, whom the second column names; a query's figure is the mean over its judges
    QrelsJg,
    /// Preferences: topic, judge, group of judgments, document, level
    Prefs,
    /// Grades that are read as preferences: topic, judge, document, level
    QrelsPrefs,
    /// Grades for each subtopic: topic, subtopic, document, grade; for alpha_nDCG@20, ERR_IA@20 and StRecall@20
    Subtopics,
}

/// The forms of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MeasureFormat {
    /// For people: means, intervals, and what they rest on
    Table,
    /// For programs: the same
    Json,
    /// A line a figure: {"run", "measure", "query", "value"}; query is null for the mean over all
    Jsonl,
    /// The same four columns; query is empty for the mean over all
    Csv,
    /// trec_eval's three columns under its names
    Trec,
}
