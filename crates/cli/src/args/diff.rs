//! The arguments of `llull diff`.

use std::path::PathBuf;

use clap::Args;

use super::number_ranges::{confidence, resamples};
use super::{LabelReading, RunReading};

const AFTER_HELP: &str = "\
Examples:
  llull diff old.qrels new.qrels                      which labels change, and how far the two agree
  llull diff old.qrels new.qrels --runs *.run -m nDCG@10
                                                      and what that does to systems
  llull diff old.qrels new.qrels --limit 100 --json

Pairs of query and document whose label changes are listed, the largest change first, then the best rank at which a \
system has the document. Systems are measured under both over the pairs that both have, so that their figures differ \
by changed labels alone; the first run is the baseline of the verdicts unless --baseline names another.";

/// `llull diff`
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct DiffArgs {
    /// The one side: a qrels file; - is standard input
    pub(crate) a: String,
    /// The other side, likewise
    pub(crate) b: String,
    /// How many changed labels are listed; 0 for none
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) limit: usize,
    /// Runs to measure under both
    #[arg(long, value_name = "RUN", num_args = 1..)]
    pub(crate) runs: Vec<PathBuf>,
    /// What to measure the runs by; may be repeated. By default nDCG@10
    #[arg(short = 'm', long = "measure", value_name = "MEASURE")]
    pub(crate) measures: Vec<String>,
    /// The system that the others are compared with (its name, or its file). By default the first run
    #[arg(long, value_name = "SYSTEM")]
    pub(crate) baseline: Option<String>,
    /// The confidence of intervals, from 0.5 to below 1. By default 0.95
    #[arg(long, value_name = "SHARE", value_parser = confidence)]
    pub(crate) confidence: Option<f64>,
    /// Bootstrap resamples. By default 10000
    #[arg(long, value_name = "N", value_parser = resamples)]
    pub(crate) resamples: Option<u32>,
    /// The seed of everything random. By default 42
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    #[command(flatten)]
    pub(crate) label_reading: LabelReading,
    #[command(flatten)]
    pub(crate) run_reading: RunReading,
}
