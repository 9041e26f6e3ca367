//! The arguments of `llull judges`.

use clap::{Args, ValueEnum};

const AFTER_HELP: &str = "\
Each judge, paradigm and prompt in the ledger has a line, including those of earlier rubrics; llull sends no \
request. Agreement is beyond chance and within queries, with the study's reference and with the other judges; first \
side, flips and noise come from comparisons and from repeated questions. The price of 1,000 answers includes \
failures and rechecks. A star marks a judge that no other beats in both price and agreement.";

/// `llull judges`
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct JudgesArgs {
    /// What the lines are sorted by
    #[arg(long, value_enum, value_name = "WHAT", default_value = "agreement")]
    pub(crate) sort: JudgesOrder,
}

/// What judges are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum JudgesOrder {
    /// Agreement with human labels, or without them with the other judges, highest first
    Agreement,
    /// Price of 1,000 answers, lowest first; unknown prices last
    Price,
    /// The time of their first request
    First,
}
