//! The arguments of `llull audit`.

use clap::Args;

use super::number_ranges::at_least_one;
use super::study_flags::{AS_LAST_RUN, StudyFlags};

const AFTER_HELP: &str = "\
Each alarm has a verdict: fine, look (read it before acting on the figures) or do not trust (the answers carry no \
decision), with n, an interval, what a coin would give, and what to do. Nothing is asked: all of it is computed from \
the answers in the ledger. Bounds that [alarms] of llull.toml sets are tested, and one that is not kept ends with 100.";

/// `llull audit`
#[derive(Debug, Args)]
#[command(after_help = format!("{AFTER_HELP}\n\n{AS_LAST_RUN}"))]
pub(crate) struct AuditArgs {
    #[command(flatten)]
    pub(crate) study: StudyFlags,
    /// How many of each system's documents are judged. By default as in the last run
    #[arg(long, value_name = "K", value_parser = at_least_one)]
    pub(crate) depth: Option<usize>,
}
