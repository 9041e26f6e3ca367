//! The arguments of `llull ledger`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

const AFTER_HELP: &str = "\
Example, judgments from one study into another:
  llull -C old ledger export | llull -C new ledger import -";

/// `llull ledger`
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct LedgerArgs {
    #[command(subcommand)]
    pub(crate) command: LedgerCommand,
}

/// What to do with the ledger.
#[derive(Debug, Subcommand)]
pub(crate) enum LedgerCommand {
    /// Count attempts, answers, failures, tokens and money
    Status,
    /// Read everything, and name each damaged row
    Check,
    /// Write every attempt as JSON lines, with replies and without keys
    Export {
        /// The file, compressed if it ends in .gz or .zst; - is standard output
        #[arg(default_value = "-")]
        file: PathBuf,
        /// Pass over damaged rows, and count them
        #[arg(long)]
        skip_damaged: bool,
    },
    /// Add the attempts of an export; those that are in the ledger already are not added twice
    Import {
        /// The file, compressed or not; - is standard input
        file: PathBuf,
        /// Go on with a ledger that has lost attempts
        #[arg(long)]
        accept_loss: bool,
    },
}
