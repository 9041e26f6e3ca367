//! The arguments of `llull report`.

use std::path::PathBuf;

use clap::Args;
use llull::config::Overrides;

use super::QueryFlags;
use super::ci_outputs::CiOutputs;
use super::format::{Format, formats};
use super::study_flags::{AS_LAST_RUN, MethodFlag, StudyFlags};

/// `llull report`
#[derive(Debug, Args)]
#[command(after_help = AS_LAST_RUN)]
pub(crate) struct ReportArgs {
    /// Print the report as well as writing its files; with -o, the format of the file. --json is short for --format
    /// json
    #[arg(long, value_parser = formats([
        (Format::Markdown, "For people"),
        (Format::Html, "For people, as one page with charts"),
        (Format::Json, "For programs"),
        (Format::Schema, "The JSON Schema of the latter; needs no study"),
    ]))]
    pub(crate) format: Option<Format>,
    /// The file to write the report to, instead of the study's files; - is standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) study: StudyFlags,
    #[command(flatten)]
    pub(crate) method: MethodFlag,
    /// The answers under an earlier rubric: the beginning of its hash
    #[arg(long, value_name = "HASH")]
    pub(crate) rubric_hash: Option<String>,
    /// A measure; repeat for more; the first decides. By default as in the last run
    #[arg(short = 'm', long = "measure", value_name = "MEASURE")]
    pub(crate) measures: Vec<String>,
    /// The system that the others are compared with. By default as in the last run
    #[arg(long, value_name = "SYSTEM")]
    pub(crate) baseline: Option<String>,
    /// Print more: the figures of all measures, how many labels each grade has, and the cost
    #[arg(short, long)]
    pub(crate) verbose: bool,
    /// Decide although a judge failed a check
    #[arg(long)]
    pub(crate) ignore_checks: bool,
    /// An earlier report: its number in llull history, a report.json, or a folder with one. Which figures changed, and
    /// whether the two have the same corpus, queries, rubric and judges
    #[arg(long, value_name = "REPORT")]
    pub(crate) since: Option<String>,
    /// Leave the texts of queries and documents, and the judges' rationales, out of report.html, report.md and
    /// report.json
    #[arg(long)]
    pub(crate) no_texts: bool,
    #[command(flatten)]
    pub(crate) queries: QueryFlags,
    #[command(flatten)]
    pub(crate) ci: CiOutputs,
}

impl ReportArgs {
    /// The settings that these options override.
    pub(crate) fn overrides(&self) -> Overrides {
        let own = Overrides {
            measures: self.measures.clone(),
            baseline: self.baseline.clone(),
            ignore_checks: self.ignore_checks,
            method: self.method.method,
            rubric_hash: self.rubric_hash.clone(),
            ..self.study.overrides()
        };
        own.over(self.queries.overrides())
    }
}
