//! The arguments of `llull measure`.

use std::path::PathBuf;

use clap::builder::TypedValueParser;
use clap::{Args, ValueEnum};
use llull::metrics::Relevant;

use super::format::{FIGURES_AS_CSV, FIGURES_AS_JSONL, Format, formats};
use super::study_flags::{AS_LAST_RUN, INTERVALS, JudgesFlag};
use super::{HumanLabelFlags, LabelReading, QueryFlags, RunReading, TopicsFlag};

const AFTER_HELP: &str = "\
Examples:
  llull measure human.qrels bm25.run dense.run.gz -m nDCG@10 -m 'P(rel=2)@5'
  llull measure                                the study's systems under its own labels
  llull measure q.qrels a.run -q --format trec  what trec_eval prints, under its names
  llull measure q.qrels *.run -m nDCG@10 -m AP --sort AP --format markdown
  llull measure q.qrels a.run -m AP -q --format jsonl | jq 'select(.value < 0.1)'
  llull measure judge.qrels a.run -m P@10 --human some.qrels --sampled pairs   corrected by human labels

Queries of the qrels that a run does not answer count as 0, with trec_eval's -c and without. Unjudged documents count \
as not relevant, and their number is reported. Ties: score descending, then document id descending. trec_eval's names \
(ndcg_cut_10) work too, and so do its groups official, set and all_trec.";

/// `llull measure`
#[derive(Debug, Args)]
#[command(after_help = format!("{AFTER_HELP}\n\n{INTERVALS}\n\n{AS_LAST_RUN}"))]
pub(crate) struct MeasureArgs {
    /// Labels: TREC qrels, BEIR TSV, CSV, JSON and others, plain, .gz or .zst; - is standard input
    pub(crate) qrels: Option<PathBuf>,
    /// Runs: TREC, CSV, JSON and others, plain, .gz or .zst; each is named after its file
    pub(crate) runs: Vec<PathBuf>,
    /// A measure, such as nDCG@10, nDCG(dcg='exp-log2')@10, AP, RR@10, P(rel=2)@5, R@100, Success@5, Judged@10, or one
    /// of trec_eval's groups, such as all_trec; repeat for more. Default: the study's measures, or nDCG@10; official
    /// with --format trec, prefs for preferences
    #[arg(short = 'm', long = "measure", value_name = "MEASURE")]
    pub(crate) measures: Vec<String>,
    /// Print the figures of every query, too
    #[arg(short = 'q', long)]
    pub(crate) per_query: bool,
    /// The default, which scripts for trec_eval ask for
    #[arg(short, long, hide = true)]
    pub(crate) complete: bool,
    /// Leave out queries that a run does not answer, as trec_eval does without its -c. A run that leaves out its hard
    /// queries gains by it
    #[arg(long, conflicts_with = "complete")]
    pub(crate) answered_only: bool,
    /// The lowest relevant grade of every measure that has one and does not name it itself, as in rel=2 [default: 1]
    #[arg(short, long, value_name = "GRADE", requires = "qrels", value_parser = level)]
    pub(crate) level: Option<Relevant>,
    /// Use only the first N documents of each query
    #[arg(
        short = 'M',
        long,
        value_name = "N",
        requires = "qrels",
        value_parser = clap::value_parser!(u32).range(1..).map(|depth| depth as usize)
    )]
    pub(crate) depth: Option<usize>,
    /// The contents of the labels' file
    #[arg(short = 'R', long, value_name = "FORM", value_enum, default_value = "qrels", requires = "qrels")]
    pub(crate) labels: LabelsForm,
    /// Print z-scores: (figure - mean) / standard deviation. Means and deviations are read from this file, with lines
    /// `query measure mean deviation`
    #[arg(short = 'Z', long, value_name = "FILE", requires = "qrels")]
    pub(crate) zscores: Option<PathBuf>,
    /// Print the systems in the order of this measure: the best first, or the smallest figure first where more is not
    /// better (unj@10, NumRet). Equal ones stay as they were given, and so do queries
    #[arg(long, value_name = "MEASURE")]
    pub(crate) sort: Option<String>,
    /// Print beside each mean the one that the best order of the run's own results would have, which no reranker of
    /// them can exceed by these labels: of all results, or of the first N (-M); in a study of the first ones, to the
    /// pool's depth. Missing labels count as not relevant by default, so it may be higher
    #[arg(long)]
    pub(crate) best_order: bool,
    #[command(flatten)]
    pub(crate) study: JudgesFlag,
    /// The format of the result; --json is short for --format json
    #[arg(long, value_parser = formats([
        (Format::Table, "For people: means, intervals, and counts"),
        (Format::Json, "For programs: the same"),
        FIGURES_AS_JSONL,
        FIGURES_AS_CSV,
        (Format::Markdown, "For pull requests and notebooks: the same table"),
        (Format::Trec, "trec_eval's three columns under its names"),
    ]))]
    pub(crate) format: Option<Format>,
    #[command(flatten)]
    pub(crate) queries: QueryFlags,
    #[command(flatten)]
    pub(crate) topics: TopicsFlag,
    #[command(flatten)]
    pub(crate) people: HumanLabelFlags,
    #[command(flatten)]
    pub(crate) label_reading: LabelReading,
    #[command(flatten)]
    pub(crate) run_reading: RunReading,
}

/// Parses a grade that can be the lowest relevant one.
fn level(text: &str) -> Result<Relevant, String> {
    let grade = text.parse().ok().and_then(Relevant::from_grade);
    grade.ok_or_else(|| "must be a whole number, 1 or more".to_owned())
}

/// What a file of labels holds; all names but the last are trec_eval's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum LabelsForm {
    /// Grades; the second column is ignored
    Qrels,
    /// Grades of several judges, named in the second column; a query's figure is the mean over its judges
    QrelsJg,
    /// Preferences: query, judge, group of judgments, document, level
    Prefs,
    /// Grades that are read as preferences: query, judge, document, level
    QrelsPrefs,
    /// Grades for each subtopic: query, subtopic, document, grade; for alpha_nDCG@20, ERR_IA@20 and StRecall@20
    Subtopics,
}
