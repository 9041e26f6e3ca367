//! Commands that show what is there.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::JudgeOptions;

/// `llull prompt`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  llull prompt                                     the first pair of the pool, for \
        each judge\n  llull prompt --topic q7 --document d42           one pair\n  llull prompt --judge \
        openai/gpt-4o-mini --prompt umbrela   another judge, another template\n\nNo model is contacted and no \
        key is needed."
)]
pub(crate) struct PromptArgs {
    /// The query's id; the first of the pool by default
    #[arg(long, value_name = "ID")]
    pub(crate) topic: Option<String>,
    /// The document's id; the query's first in the pool by default
    #[arg(long, value_name = "ID")]
    pub(crate) document: Option<String>,
    #[command(flatten)]
    pub(crate) judges: JudgeOptions,
}

/// `llull report`
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Print it as well as writing the files, or write it in this form where -o says; --json is short for --format json
    #[arg(long, value_enum)]
    pub(crate) format: Option<ReportFormat>,
    /// Where to write the report instead of into the study's folder; - is standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// The forms of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For people
    Markdown,
    /// For programs
    Json,
    /// The JSON Schema of the latter; needs no study
    Schema,
}

/// `llull ledger`
#[derive(Debug, Args)]
#[command(
    after_help = "Example, judgments from one study into another:\n  llull -C old ledger export | llull -C new \
        ledger import -"
)]
pub(crate) struct LedgerArgs {
    #[command(subcommand)]
    pub(crate) command: LedgerCommand,
}

/// What to do with the ledger.
#[derive(Debug, Subcommand)]
pub(crate) enum LedgerCommand {
    /// Count attempts, answers, failures, tokens and money
    Status,
    /// Write every attempt as JSON lines, replies included, keys never
    Export {
        /// The file, compressed if it ends in .gz or .zst; - is standard output
        #[arg(default_value = "-")]
        file: PathBuf,
    },
    /// Add the attempts of an export; what is already there is not added twice
    Import {
        /// The file, compressed or not; - is standard input
        file: PathBuf,
    },
}

/// `llull completions`
#[derive(Debug, Args)]
#[command(after_help = "Example: llull completions bash > ~/.local/share/bash-completion/completions/llull")]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}
