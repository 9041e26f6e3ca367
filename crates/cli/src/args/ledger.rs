//! The arguments of `llull ledger`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

const AFTER_HELP: &str = "\
Examples:
  llull ledger show q01 p104                      each attempt at this pair, with its prompt and reply
  llull -C old ledger export | llull -C new ledger import -
                                                  judgments from one study into another
  llull ledger copy .llull/ledger.sqlite          after `ledger = \"LLULL_LEDGER\"` in llull.toml: into PostgreSQL";

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
    /// Print every attempt at a query and a document: what was sent, and what came back
    Show {
        /// The query
        query: String,
        /// A document; by default all of the query
        document: Option<String>,
        /// A judge, by its name in the ledger; repeat for more
        #[arg(long = "judge", value_name = "JUDGE")]
        judges: Vec<String>,
    },
    /// Write every attempt as JSON lines, with replies and without keys
    Export {
        /// The file, compressed if it ends in .gz or .zst; - is standard output. One that ends in .parquet has a row
        /// for each attempt, for DuckDB, Spark, Ray and data frames; llull does not import it
        #[arg(default_value = "-")]
        file: PathBuf,
        /// Pass over damaged rows, and count them
        #[arg(long)]
        skip_damaged: bool,
    },
    /// Copy another ledger into this study's, which has nothing else: from a file to PostgreSQL, or back
    Copy {
        /// The other ledger's file, or the variable with the address of its PostgreSQL database
        #[arg(value_name = "FROM")]
        from: PathBuf,
    },
    /// Add the attempts of an export; those that are in the ledger already are not added twice
    Import {
        /// The file, compressed or not; - is standard input
        file: PathBuf,
        /// Continue although the ledger has lost replies
        #[arg(long)]
        accept_loss: bool,
    },
}
