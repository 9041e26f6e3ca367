//! What can be typed: clap's definitions, and nothing that acts on them.

mod inspect;
mod plain;
mod study;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

pub(crate) use inspect::{CompletionsArgs, LedgerArgs, LedgerCommand, PromptArgs, ReportArgs, ReportFormat};
pub(crate) use plain::{CompareArgs, LabelArgs, MeasureArgs};
pub(crate) use study::{
    DemoArgs, DoctorArgs, InitArgs, JudgeArgs, JudgeOptions, PoolArgs, RetrieveArgs, RunArgs,
};

/// Measure retrieval when you have no ground truth.
///
/// llull pools what your retrievers return, has judges grade it under a rubric in plain English, and measures
/// every system under those labels, with intervals, and with everything that is missing counted.
#[derive(Debug, Parser)]
#[command(
    name = "llull",
    version,
    max_term_width = 100,
    after_help = concat!(
        "New here?   llull demo          a whole study, offline, in seconds\n",
        "Your data?  llull init DIR      then: llull -C DIR doctor, llull -C DIR run\n",
        "Have qrels? llull measure QRELS RUN... -m nDCG@10\n",
        "            llull compare QRELS BASELINE.run CANDIDATE.run -m nDCG@10"
    ),
    after_long_help = crate::exit::HELP
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options of every command.
#[derive(Debug, Args)]
pub(crate) struct GlobalArgs {
    /// The study's folder
    #[arg(short = 'C', long = "study", global = true, value_name = "DIR", default_value = ".")]
    pub(crate) study: PathBuf,
    /// Print JSON instead of tables
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Print results, warnings and errors only
    #[arg(short = 'Q', long, global = true)]
    pub(crate) quiet: bool,
}

/// The commands, in the order in which a study meets them.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write a whole study about a small collection and run it, offline
    Demo(DemoArgs),
    /// Make a study: llull.toml and rubric.md
    Init(InitArgs),
    /// Check a study, before money is spent
    Doctor(DoctorArgs),
    /// Do the whole study: retrieve, pool, judge, label, measure, compare, report
    Run(RunArgs),
    /// Run the study's own retrievers
    Retrieve(RetrieveArgs),
    /// Show which documents are to be judged, and who found them where
    Pool(PoolArgs),
    /// Print exactly what a judge would be sent, without sending it
    Prompt(PromptArgs),
    /// Judge the pool; what the ledger already knows is not asked again
    Judge(JudgeArgs),
    /// Turn judgments, or several qrels files, into labels
    Label(LabelArgs),
    /// Measure runs under labels
    Measure(MeasureArgs),
    /// Say whether one system is better than another, or that it cannot be told
    Compare(CompareArgs),
    /// Write report.md and report.json again, from the ledger
    Report(ReportArgs),
    /// Look into the ledger of judgments; take it elsewhere
    Ledger(LedgerArgs),
    /// Print a shell's completion script
    Completions(CompletionsArgs),
}
