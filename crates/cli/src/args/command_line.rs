//! The whole command line: the commands, and the options that all of them have.

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use llull::data::Columns;
use llull::report::text::visible;

use super::help_texts::lay_out;
use super::{
    AgreeArgs, AuditArgs, BatchArgs, CollectArgs, CompareArgs, CompletionsArgs, DemoArgs, DiffArgs,
    DoctorArgs, EvaluateArgs, ExportArgs, Format, HistoryArgs, InitArgs, LabelArgs, LedgerArgs, ManArgs,
    MeasureArgs, ModelsArgs, PlanArgs, PoolArgs, PromptArgs, RankArgs, ReportArgs, ReviewArgs, RunArgs,
    SampleArgs, ServeArgs, SynthesizeArgs, TrainArgs,
};
use crate::printer::Printer;

/// The first commands to try.
const START: &str = "\
New here?    llull demo          a whole study, offline, in seconds
Your data?   llull init DIR      then: llull -C DIR doctor, llull -C DIR run
Have qrels?  llull measure QRELS RUN... -m nDCG@10, and llull compare with the same arguments";

/// Measure retrieval when you have no ground truth
#[derive(Debug, Parser)]
#[command(
    name = "llull",
    version,
    max_term_width = 100,
    after_help = START
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// Parses arguments, the program's name before them. Ends the process if they are wrong.
    pub(crate) fn from_arguments(arguments: Vec<OsString>) -> Self {
        let short = arguments.iter().any(|argument| argument == "-h");
        let mut program = lay_out(Self::command(), short);
        let matches = program.try_get_matches_from_mut(arguments);
        let parsed = matches.and_then(|matches| Self::from_arg_matches(&matches));
        let cli = parsed.unwrap_or_else(|error| refused(&error.format(&mut program)));
        // clap's own `conflicts_with` does not see a global option that stands before the command.
        let other = cli.command.format().filter(|format| cli.global.json && *format != Format::Json);
        if let Some(format) = other.and_then(Format::name) {
            let text = format!(
                "--json is short for --format json and cannot be used with --format {format}: leave out one"
            );
            Self::command().error(ErrorKind::ArgumentConflict, text).exit();
        }
        cli
    }
}

/// Prints clap's complaint, or the requested help, and ends the process. A complaint quotes the arguments,
/// which may come from a script.
#[expect(clippy::disallowed_methods, reason = "clap ends the process here, too, and nothing has begun yet")]
fn refused(error: &clap::Error) -> ! {
    let text = error.to_string();
    if error.use_stderr() && matches!(visible(&text), Cow::Owned(_)) {
        Printer::new(false, true).error(text.strip_prefix("error: ").unwrap_or(&text).trim_end());
        std::process::exit(error.exit_code());
    }
    error.exit()
}

/// The heading of the options that every command has.
const EVERYWHERE: &str = "Options of every command";

/// Options of every command.
#[derive(Debug, Clone, Args)]
pub(crate) struct GlobalArgs {
    /// The study's folder; the current one by default
    #[arg(
        short = 'C',
        long = "study",
        global = true,
        value_name = "DIR",
        default_value = ".",
        hide_default_value = true,
        hide_short_help = true,
        help_heading = EVERYWHERE
    )]
    pub(crate) study: PathBuf,
    /// Allow a server, program, file or folder outside the study's folder; repeat for more. llull refuses such places
    /// at first, since a study may come from somebody else; its error message shows the PLACE to write here.
    /// The variable LLULL_TRUST allows places, too, with commas between them
    #[arg(long, global = true, value_name = "PLACE", hide_short_help = true, help_heading = EVERYWHERE)]
    pub(crate) trust: Vec<String>,
    /// Say which column or field of your files is what, where llull does not recognize it by itself:
    /// query=search_term,id=sku,text=title+description. NAME is one of id, query, document, title, text, rank, score,
    /// grade, system and answer. For comparisons, samples and sheets it can also be one of their columns, such as left,
    /// winner, probability or note
    #[arg(
        long,
        global = true,
        value_name = "NAME=COLUMN",
        default_value = "",
        hide_default_value = true,
        hide_short_help = true,
        help_heading = EVERYWHERE
    )]
    pub(crate) columns: Columns,
    /// Print results as JSON
    #[arg(long, global = true, hide_short_help = true, help_heading = EVERYWHERE)]
    pub(crate) json: bool,
    /// Print results, warnings and errors only, without remarks on files (repeated lines, queries without labels)
    #[arg(short = 'Q', long, global = true, hide_short_help = true, help_heading = EVERYWHERE)]
    pub(crate) quiet: bool,
}

/// The commands, in the order in which a study uses them.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write a whole study of a small collection and run it, offline
    Demo(DemoArgs),
    /// Begin a study: write llull.toml and rubric.md
    Init(InitArgs),
    /// Check a study before money is spent: files, identifiers, texts, keys, servers
    Doctor(DoctorArgs),
    /// Do the whole study: retrieve, pool, judge, label, measure, compare, report
    Run(RunArgs),
    /// Show which documents will be judged, and which systems found them
    Pool(PoolArgs),
    /// Print a judge's exact requests, without sending them
    Prompt(PromptArgs),
    /// For judges that compare: estimate the requests, and how good the ranking will be
    Plan(PlanArgs),
    /// Make labels (qrels) from judges' answers, or combine the labels of several judges
    Label(LabelArgs),
    /// Turn comparisons into tiers or ratings (Elo and others)
    Rank(RankArgs),
    /// Train a judge of your own from labels or human comparisons
    Train(TrainArgs),
    /// Measure runs under your own labels or those of a study
    Measure(MeasureArgs),
    /// Test whether one system is better than another
    Compare(CompareArgs),
    /// Write labels, runs, training sets and requests for other tools
    Export(ExportArgs),
    /// Have a language model write questions with expected answers about documents
    Synthesize(SynthesizeArgs),
    /// Measure retrievers by expected answers, without labels of documents
    Evaluate(Box<EvaluateArgs>),
    /// Draw pairs for annotators, and import their labels, to correct judge errors
    Sample(SampleArgs),
    /// Have annotators judge pairs, blind, in the browser or on a sheet
    Review(ReviewArgs),
    /// Compare labels: do they give the same grades, and put systems in the same order?
    Agree(AgreeArgs),
    /// Test judges for bias and inconsistency, and compare all judges in the ledger
    Audit(AuditArgs),
    /// Show which labels change between two rubrics, prompts, judges or files
    Diff(DiffArgs),
    /// Write the reports and labels again from saved replies (the ledger); sends no request
    Report(ReportArgs),
    /// Show how a measure changed from report to report, and what else changed
    History(HistoryArgs),
    /// Show many studies in one table, and the mean over all of them
    Collect(CollectArgs),
    /// Show the study in the browser: the report, every query, two systems side by side
    Serve(ServeArgs),
    /// Count, export or import the judgments in the ledger
    Ledger(LedgerArgs),
    /// Write the next requests as a file, and record their results
    Batch(BatchArgs),
    /// List the text encoders (embedding models) on this machine, or add one
    Models(ModelsArgs),
    /// Print a shell's completion script
    #[command(hide = true)]
    Completions(CompletionsArgs),
    /// Write a manual page for each command
    #[command(hide = true)]
    Man(ManArgs),
}

impl Command {
    /// The value of `--format`, if this command has that option and it was given.
    pub(crate) fn format(&self) -> Option<Format> {
        match self {
            Self::Rank(args) => args.format,
            Self::Measure(args) => args.format,
            Self::Compare(args) => args.format,
            Self::Evaluate(args) => args.format,
            Self::Report(args) => args.format,
            Self::Collect(args) => args.format,
            _ => None,
        }
    }
}
