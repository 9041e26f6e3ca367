//! The commands, and the options of every command.

use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};

use super::agree::AgreeArgs;
use super::compare::CompareArgs;
use super::inspect::{CompletionsArgs, LedgerArgs, PromptArgs, ReportArgs};
use super::label::LabelArgs;
use super::measure::MeasureArgs;
use super::plan::PlanArgs;
use super::rank::RankArgs;
use super::study::{DemoArgs, DoctorArgs, InitArgs, JudgeArgs, PoolArgs, RetrieveArgs, RunArgs};

/// Where to begin.
const START: &str = "\
New here?    llull demo          a whole study, offline, in seconds
Your data?   llull init DIR      then: llull -C DIR doctor, llull -C DIR run
Have qrels?  llull measure QRELS RUN... -m nDCG@10
             llull compare QRELS BASELINE.run CANDIDATE.run -m nDCG@10";

/// Where settings come from.
const KEYS: &str = "\
Settings: the command line stands above the environment (LLULL_JUDGE, LLULL_BASE_URL, LLULL_SEED, \
LLULL_CONCURRENCY), that above llull.toml. Keys are read from the environment or from .env, of the study's folder or this one (OPENAI_API_KEY, \
OPENROUTER_API_KEY ...), and are sent to the model's server and nowhere else. NO_COLOR is honoured.";

/// Measure retrieval when you have no ground truth.
///
/// llull pools what your retrievers return, has judges grade it under a rubric in plain English, and measures
/// every system under those labels, with intervals, and with everything that is missing counted.
#[derive(Debug, Parser)]
#[command(
    name = "llull",
    version,
    max_term_width = 100,
    after_help = START,
    after_long_help = format!("{START}\n\n{KEYS}\n\n{}", crate::exit::HELP)
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// What was typed. clap ends the process where that is wrong.
    pub(crate) fn typed() -> Self {
        let cli = Self::parse();
        // An option of every command cannot conflict with one of some commands in clap's own way when it stands
        // before the command.
        if let Some(format) = cli.command.format().filter(|format| cli.global.json && format != "json") {
            let text = format!(
                "--json is short for --format json and cannot be used with --format {format}: leave out one"
            );
            Self::command().error(ErrorKind::ArgumentConflict, text).exit();
        }
        cli
    }
}

/// The heading of the options that every command has.
const EVERYWHERE: &str = "Options of every command";

/// Options of every command.
#[derive(Debug, Args)]
pub(crate) struct GlobalArgs {
    /// The study's folder; the current one by default
    #[arg(
        short = 'C',
        long = "study",
        global = true,
        value_name = "DIR",
        default_value = ".",
        hide_default_value = true,
        help_heading = EVERYWHERE
    )]
    pub(crate) study: PathBuf,
    /// Print results as JSON
    #[arg(long, global = true, help_heading = EVERYWHERE)]
    pub(crate) json: bool,
    /// Print results, warnings and errors only
    #[arg(short = 'Q', long, global = true, help_heading = EVERYWHERE)]
    pub(crate) quiet: bool,
}

/// The commands, in the order in which a study meets them.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write a whole study about a small collection and run it, offline
    Demo(DemoArgs),
    /// Begin a study: write llull.toml and rubric.md
    Init(InitArgs),
    /// Check a study before money is spent: files, identifiers, texts, keys, servers
    Doctor(DoctorArgs),
    /// Do the whole study: retrieve, pool, judge, label, measure, compare, report
    Run(RunArgs),
    /// Run the retrievers that the study names (bm25, ngram), and show what they find
    Retrieve(RetrieveArgs),
    /// Show which documents are to be judged, and who found them where
    Pool(PoolArgs),
    /// Print exactly what a judge would be sent, without sending it
    Prompt(PromptArgs),
    /// Say what comparing documents would cost and how good it would be, before paying for it
    Plan(PlanArgs),
    /// Judge the pool; what the ledger already knows is not asked again
    Judge(JudgeArgs),
    /// Turn judgments, or several judges' qrels files, into labels
    Label(LabelArgs),
    /// Turn comparisons into tiers or ratings: Bradley-Terry, Plackett-Luce, Elo and others
    Rank(RankArgs),
    /// Measure runs under labels: yours, or those of a study
    Measure(MeasureArgs),
    /// Say whether one system is better than another, or that it cannot be told
    Compare(CompareArgs),
    /// Say how far labels can be trusted: agreement about documents and about systems
    Agree(AgreeArgs),
    /// Write report.md, report.json and labels.qrels again; nothing is asked
    Report(ReportArgs),
    /// Count what the ledger of judgments holds; take it elsewhere, or in
    Ledger(LedgerArgs),
    /// Print a shell's completion script
    Completions(CompletionsArgs),
}

impl Command {
    /// What `--format` was given, where there is such an option.
    fn format(&self) -> Option<String> {
        match self {
            Self::Rank(args) => args.format.and_then(named),
            Self::Measure(args) => args.format.and_then(named),
            Self::Compare(args) => args.format.and_then(named),
            Self::Report(args) => args.format.and_then(named),
            _ => None,
        }
    }
}

/// A value as it is typed.
fn named(value: impl ValueEnum) -> Option<String> {
    value.to_possible_value().map(|value| value.get_name().to_owned())
}
