//! The arguments of `llull report`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// `llull report`
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Print the report as well as writing its files; with -o, the format of the file. --json is short for --format
    /// json
    #[arg(long, value_enum)]
    pub(crate) format: Option<ReportFormat>,
    /// The file to write the report to, instead of the study's files; - is standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// The formats of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For people
    Markdown,
    /// For programs
    Json,
    /// The JSON Schema of the latter; needs no study
    Schema,
}
