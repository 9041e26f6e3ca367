//! Commands that show what is there.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::JudgeOptions;

/// `llull prompt`
#[derive(Debug, Args)]
pub(crate) struct PromptArgs {
    /// The topic's id; the first of the pool by default
    #[arg(long, value_name = "ID")]
    pub(crate) topic: Option<String>,
    /// The document's id; the topic's first in the pool by default
    #[arg(long, value_name = "ID")]
    pub(crate) document: Option<String>,
    #[command(flatten)]
    pub(crate) judges: JudgeOptions,
}

/// `llull report`
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Print it instead of writing the files
    #[arg(long, value_enum)]
    pub(crate) format: Option<ReportFormat>,
}

/// The forms of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For people
    Markdown,
    /// For programs
    Json,
    /// The JSON Schema of the latter
    Schema,
}

/// `llull ledger`
#[derive(Debug, Args)]
pub(crate) struct LedgerArgs {
    #[command(subcommand)]
    pub(crate) command: LedgerCommand,
}

/// What to do with the ledger.
#[derive(Debug, Subcommand)]
pub(crate) enum LedgerCommand {
    /// Count attempts, answers, failures, tokens and money
    Status,
    /// Write every attempt as JSONL
    Export {
        /// The file; - is standard output
        #[arg(default_value = "-")]
        file: PathBuf,
    },
    /// Add the attempts of an export; what is already there is not added twice
    Import {
        /// The file; - is standard input
        file: PathBuf,
    },
}

/// `llull completions`
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}
