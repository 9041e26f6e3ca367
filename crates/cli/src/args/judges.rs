//! The arguments of `llull judges`.

use clap::{Args, ValueEnum};

const AFTER_HELP: &str = "\
Each judge, paradigm and prompt that the ledger knows has a line, those of earlier rubrics among them; nothing is \
asked. Agreement is beyond chance and within queries, with the study's reference and with the other judges; first \
side, flips and noise come from comparisons and from questions that were asked again. The price of 1,000 answers has \
all that was paid for, failures and rechecks too. A star stands beside a judge that no other beats in both price and \
agreement.";

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
    /// Agreement with people, or without their labels with the other judges, highest first
    Agreement,
    /// Price of 1,000 answers, lowest first; unknown prices last
    Price,
    /// When they were first asked
    First,
}
