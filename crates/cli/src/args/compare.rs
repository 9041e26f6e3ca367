//! The arguments of `llull compare`.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use llull::stats::{Correction, PairTest};

use super::ci_outputs::CiOutputs;
use super::format::{Format, formats};
use super::number_ranges::margin;
use super::study_flags::{AS_LAST_RUN, INTERVALS, JudgesFlag};
use super::{HumanLabelFlags, LabelReading, QueryFlags, RunReading, TopicsFlag};

const AFTER_HELP: &str = "\
Examples:
  llull compare                                   all systems of the study
  llull compare bm25 dense                        two systems of the study
  llull compare qrels bm25.run dense.run -m AP    plain files; the first run is the baseline
  llull compare qrels *.run --baseline bm25 --format latex
  llull compare judge.qrels bm25.run dense.run -m P@10 --human some.qrels --sampled sample.tsv
  llull compare bm25 dense --gate 'low(nDCG@10) >= -0.01'
  llull compare --gate 'value(nDCG@10) > 0.7'

Letters beside a figure name the systems that it is significantly better than. docs/reference/statistics.md explains \
tests, corrections and decisions.

A gate is a condition on candidate minus baseline: low(nDCG@10) >= -0.01 on the lower end of the difference's \
interval, nDCG@10 >= -0.01 on its mean alone, which may pass by chance. With value(nDCG@10) > 0.7 it is a condition \
on the candidate's own figure, with low(value(nDCG@10)) on the lower end of its interval. [gates] in llull.toml has \
the gates of a study. If one fails, the exit code is 100; if missing labels of a study could change its result, it \
is 3.";

/// `llull compare`
#[derive(Debug, Args)]
#[command(after_help = format!("{AFTER_HELP}\n\n{INTERVALS}\n\n{AS_LAST_RUN}"))]
pub(crate) struct CompareArgs {
    /// Systems of the study, the baseline first; or plain files: QRELS BASELINE.run CANDIDATE.run... By default all
    /// systems of the study
    #[arg(num_args = 1.., value_names = ["BASELINE", "CANDIDATE"])]
    pub(crate) what: Vec<String>,
    /// A measure; repeat for more. By default those of the gates, or of the study, or nDCG@10
    #[arg(short = 'm', long = "measure", value_name = "MEASURE")]
    pub(crate) measures: Vec<String>,
    /// Compare with this system only (its name, or its file). Then fewer pairs are tested and corrected for. By
    /// default the first system is the baseline, and every pair is tested
    #[arg(long, value_name = "SYSTEM")]
    pub(crate) baseline: Option<String>,
    /// The test of significance, two-sided
    #[arg(long, value_name = "TEST", default_value = "permutation", value_parser = test())]
    pub(crate) test: PairTest,
    /// The correction of p for the number of pairs of a measure [default: holm; tukey needs none]
    #[arg(long, value_name = "HOW", value_parser = correction())]
    pub(crate) correct: Option<Correction>,
    /// Test whether each difference is within this margin of 0, by two one-sided t tests
    #[arg(long, value_name = "MARGIN", value_parser = margin)]
    pub(crate) equivalent: Option<f64>,
    /// A condition that must hold, such as 'low(nDCG@10) >= -0.01'; repeat for more. It is added to the gates of
    /// llull.toml
    #[arg(long, value_name = "EXPR")]
    pub(crate) gate: Vec<String>,
    /// Split the change of each figure since an earlier report into those of judge, labels, pool and runs. REPORT is a
    /// number of llull history, a report.json, or a folder with one
    #[arg(long, value_name = "REPORT")]
    pub(crate) against: Option<String>,
    #[command(flatten)]
    pub(crate) study: JudgesFlag,
    /// The format of the result; --json is short for --format json
    #[arg(long, value_parser = formats([
        (Format::Table, "For people"),
        (Format::Json, "For programs"),
        (Format::Latex, "For papers: two tabulars of the package booktabs"),
        (Format::Markdown, "For pull requests and notebooks"),
    ]))]
    pub(crate) format: Option<Format>,
    /// The labels of the given files are a judge's: show how often human labels confirmed such verdicts. --human
    /// implies it
    #[arg(long)]
    pub(crate) by_judge: bool,
    /// Decide although a judge of the study failed a check
    #[arg(long)]
    pub(crate) ignore_checks: bool,
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
    #[command(flatten)]
    pub(crate) ci: CiOutputs,
}

fn test() -> impl TypedValueParser<Value = PairTest> {
    PossibleValuesParser::new(["permutation", "t", "wilcoxon", "sign", "bootstrap", "tukey"])
        .try_map(|name| name.parse::<PairTest>())
}

fn correction() -> impl TypedValueParser<Value = Correction> {
    PossibleValuesParser::new(["holm", "bh", "none"]).try_map(|name| name.parse::<Correction>())
}
