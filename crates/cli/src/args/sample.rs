//! The arguments of `llull sample`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use llull::core::SampleDesign;

use super::number_ranges::{at_least_one, margin};
use super::study_flags::{AS_LAST_RUN, INTERVALS, JudgesFlag};
use super::{LabelReading, RunReading};

const AFTER_HELP: &str = "\
Examples:
  llull sample                                    what to draw and how many, and why; draws nothing
  llull sample -n 200 -o sheet.csv                draw about 200 pairs, and write their sheet
  llull sample --read sheet.csv                   read the labels; llull report corrects by them
  llull sample --status                           progress, agreement, and the value of more labels
  llull sample --compare bm25,dense -n 100 -o sheet.tsv
                                                  only documents in which the two differ
  llull sample --design queries -n 15 -o sheet.tsv
                                                  15 whole queries, for AP, R, RR and others
  llull sample judge.qrels a.run b.run -m P@10 -n 200 -o sheet.tsv
                                                  plain files; probabilities are in sheet.sample.tsv
  llull sample --read sheet.tsv --frame sheet.sample.tsv -o human.qrels
                                                  then: llull compare judge.qrels a.run b.run -m P@10 \\
                                                        --human human.qrels --sampled sheet.sample.tsv

The sheet shows no judge's grade and no system, in random order. Annotators fill in the column grade; a blank cell \
is not labelled, which is counted and widens the interval. -n fixes the number of labels before anyone sees a \
result: a study has one sample, and another one needs --replace. docs/reference/human-labels.md explains the designs.";

/// `llull sample`
#[derive(Debug, Args)]
#[command(after_help = format!("{AFTER_HELP}\n\n{INTERVALS}\n\n{AS_LAST_RUN}"))]
pub(crate) struct SampleArgs {
    /// Plain files: a judge's qrels, then runs, the baseline first; without them, the study
    #[arg(value_names = ["QRELS", "RUN"])]
    pub(crate) files: Vec<PathBuf>,
    /// How many pairs to draw, or whole queries with --design queries. Where the measure needs whole queries, as many
    /// are drawn as have about so many pairs. Without it, nothing is drawn
    #[arg(short, long = "number", value_name = "N", value_parser = at_least_one)]
    pub(crate) number: Option<usize>,
    /// The width of the interval for which to propose a number. By default one that excludes 0 if the judge is right
    #[arg(long, value_name = "WIDTH", value_parser = margin, conflicts_with = "number")]
    pub(crate) width: Option<f64>,
    /// The measure to correct. By default the study's first that a sample can correct, or P@10 of plain files
    #[arg(short = 'm', long = "measure", value_name = "MEASURE")]
    pub(crate) measure: Option<String>,
    /// What is drawn. By default pairs by weight for differences in nDCG@k and DCG@k, strata of pairs for P@k, else
    /// queries
    #[arg(long, value_enum)]
    pub(crate) design: Option<DesignChoice>,
    /// Draw for the difference of these two systems alone, baseline first: only documents in which they differ
    #[arg(long, value_name = "BASELINE,CANDIDATE", value_delimiter = ',', num_args = 1)]
    pub(crate) compare: Vec<String>,
    /// The file for the sheet, .csv, .tsv or .xlsx; with --read, for the labels as TREC qrels. - is standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// The file with every pair's probability. By default the sheet's name with .sample.tsv; a study keeps its own
    #[arg(long, value_name = "FILE")]
    pub(crate) frame: Option<PathBuf>,
    /// Queries for the sheet of plain files: TSV, JSONL or BEIR
    #[arg(long, value_name = "FILE", requires = "files")]
    pub(crate) topics: Option<PathBuf>,
    /// Documents for the sheet of plain files: TSV, JSONL or BEIR
    #[arg(long, value_name = "FILE", requires = "files")]
    pub(crate) corpus: Option<PathBuf>,
    /// Read a sheet that was filled in
    #[arg(
        long,
        value_name = "SHEET",
        conflicts_with_all = ["files", "number", "width", "design", "compare", "replace"]
    )]
    pub(crate) read: Option<PathBuf>,
    /// The progress of the study's sample, and the value of more labels
    ///
    /// It has the labels of each annotator, the agreement of annotators and judges, the figures after the first 10, 20
    /// and so on labels, and the value of more labels
    #[arg(
        long,
        conflicts_with_all = [
            "files", "number", "width", "measure", "design", "compare", "output", "frame", "read", "replace",
        ]
    )]
    pub(crate) status: bool,
    /// The annotator: two with one name are one judge, and a later label replaces an earlier one
    #[arg(long, alias = "rater", value_name = "NAME", default_value = "human", requires = "read")]
    pub(crate) annotator: String,
    /// Replace an existing sample of the study; its labels then no longer count
    #[arg(long, conflicts_with = "files")]
    pub(crate) replace: bool,
    #[command(flatten)]
    pub(crate) study: JudgesFlag,
    #[command(flatten)]
    pub(crate) label_reading: LabelReading,
    #[command(flatten)]
    pub(crate) run_reading: RunReading,
}

/// What is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DesignChoice {
    /// Pairs, each as likely as any other
    Uniform,
    /// Pairs, more where labels are expected to help more
    Stratified,
    /// Pairs, likelier where their label counts more in the measure
    Unequal,
    /// Whole queries
    Queries,
}

impl DesignChoice {
    /// Its name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Stratified => "stratified",
            Self::Unequal => "unequal",
            Self::Queries => "queries",
        }
    }

    pub(crate) fn design(self) -> SampleDesign {
        match self {
            Self::Uniform => SampleDesign::Pairs,
            Self::Stratified => SampleDesign::Stratified,
            Self::Unequal => SampleDesign::Unequal,
            Self::Queries => SampleDesign::Queries,
        }
    }
}
