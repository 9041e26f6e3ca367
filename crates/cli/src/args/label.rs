//! The arguments of `llull label`.

use std::path::PathBuf;

use clap::Args;

use super::number_ranges::at_least_one;
use super::study_flags::{AS_LAST_RUN, StudyFlags};

const AFTER_HELP: &str = "\
Examples:
  llull label                                labels.qrels of the study, from its ledger
  llull label a.qrels b.qrels c.qrels -o -   the median of three judges' files

With several judges the label is the median; with an even number of them, the lower of the two grades in the middle. \
--json shows how far the judges are apart.";

/// `llull label`
#[derive(Debug, Args)]
#[command(after_help = format!("{AFTER_HELP}\n\n{AS_LAST_RUN}"))]
pub(crate) struct LabelArgs {
    /// Qrels files, one for each judge; by default the study's ledger is read
    pub(crate) qrels: Vec<PathBuf>,
    /// The file to write the labels to, as TREC qrels; - is standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) study: StudyFlags,
    /// How many of each system's documents are judged. By default as in the last run
    #[arg(long, value_name = "K", value_parser = at_least_one)]
    pub(crate) depth: Option<usize>,
}
