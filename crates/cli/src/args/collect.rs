//! The arguments of `llull collect`.

use std::path::PathBuf;

use clap::Args;

use super::format::{Format, formats};

const AFTER_HELP: &str = "\
Examples:
  llull collect scifact nfcorpus fiqa               one table of three studies, and the mean over them
  llull collect scifact fiqa --format csv > all.csv  a line for each collection and system

It reads each study's report.json, and runs nothing. Old figures are those by the study's reference; for a benchmark \
that is judged anew set pool = \"qrels\" in llull.toml. Incomplete studies (open questions, less than 95% of the \
pairs labelled, or missing labels that could change a comparison) are in the table, and not in the overall figures. \
Figures of a judge that failed a check are not either, unless human labels correct them, even if the study ignores \
checks. Overall old and new figures are over the studies that have both.";

/// `llull collect`
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct CollectArgs {
    /// Studies: their folders, or report.json files
    #[arg(required = true, value_name = "STUDY")]
    pub(crate) studies: Vec<PathBuf>,
    /// The format of the result; --json is short for --format json
    #[arg(long, value_parser = formats([
        (Format::Table, "For people"),
        (Format::Markdown, "The same in Markdown"),
        (Format::Json, "For programs"),
        (Format::Csv, "A line for each collection and system"),
    ]))]
    pub(crate) format: Option<Format>,
}
