//! The whole command line: the commands, and the options that all of them have.

use std::borrow::Cow;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand};
use llull::report::text::visible;

use super::{
    AgreeArgs, AuditArgs, CompareArgs, CompletionsArgs, DemoArgs, DiffArgs, DoctorArgs, EvaluateArgs, Format,
    InitArgs, JudgeArgs, JudgesArgs, LabelArgs, LedgerArgs, MeasureArgs, ModelsArgs, PlanArgs, PoolArgs,
    PromptArgs, RankArgs, ReportArgs, RetrieveArgs, ReviewArgs, RunArgs, SampleArgs, ServeArgs,
    SynthesizeArgs, TrainArgs,
};
use crate::printer::Printer;

/// The first commands to try.
const START: &str = "\
New here?    llull demo          a whole study, offline, in seconds
Your data?   llull init DIR      then: llull -C DIR doctor, llull -C DIR run
Have qrels?  llull measure QRELS RUN... -m nDCG@10
             llull compare QRELS BASELINE.run CANDIDATE.run -m nDCG@10";

/// Where settings and keys come from.
const SETTINGS: &str = "\
Settings: the command line overrides the environment (LLULL_JUDGE, LLULL_BASE_URL, LLULL_SEED, LLULL_CONCURRENCY), \
which overrides llull.toml. Keys (OPENAI_API_KEY, OPENROUTER_API_KEY ...) are read from the environment, or from .env \
in the study's folder or in this one above it, and are sent to the model's server and nowhere else. NO_COLOR is \
honoured.";

/// Measure retrieval when you have no ground truth.
///
/// llull pools the results of your retrievers, has judges grade them under a rubric in plain English, and measures
/// every system under those labels. It reports intervals, and counts everything that is missing.
#[derive(Debug, Parser)]
#[command(
    name = "llull",
    version,
    max_term_width = 100,
    after_help = START,
    after_long_help = format!("{START}\n\n{SETTINGS}\n\n{}", crate::exit::HELP)
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// Parses the process's arguments. Ends the process if they are wrong.
    pub(crate) fn from_arguments() -> Self {
        let cli = Self::try_parse().unwrap_or_else(|error| refused(&error));
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
        help_heading = EVERYWHERE
    )]
    pub(crate) study: PathBuf,
    /// Let the study use this server, program, file or folder outside its own; repeat for more. LLULL_TRUST has
    /// several, separated by commas
    #[arg(long, global = true, value_name = "ENTRY", help_heading = EVERYWHERE)]
    pub(crate) trust: Vec<String>,
    /// Print results as JSON
    #[arg(long, global = true, help_heading = EVERYWHERE)]
    pub(crate) json: bool,
    /// Print results, warnings and errors only, without remarks on files (repeated lines, queries without labels)
    #[arg(short = 'Q', long, global = true, help_heading = EVERYWHERE)]
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
    /// Run the study's retrievers (bm25, ngram), and show their results
    Retrieve(RetrieveArgs),
    /// Show which documents will be judged, and which systems found them at which rank
    Pool(PoolArgs),
    /// Print a judge's exact requests, without sending them
    Prompt(PromptArgs),
    /// Simulate the cost and quality of comparing documents
    Plan(PlanArgs),
    /// Judge the pool; answers in the ledger are reused
    Judge(JudgeArgs),
    /// Turn judgments, or several judges' qrels files, into labels
    Label(LabelArgs),
    /// Turn comparisons into tiers or ratings: Bradley-Terry, Plackett-Luce, Elo and others
    Rank(RankArgs),
    /// Learn from human comparisons to make one answer of many: trees, forests, votes
    Train(TrainArgs),
    /// Measure runs under labels: yours, or those of a study
    Measure(MeasureArgs),
    /// Test whether one system is better than another
    Compare(CompareArgs),
    /// Have a language model write questions with expected answers about documents, marked as synthetic
    Synthesize(SynthesizeArgs),
    /// Measure retrievers by expected answers, without labels of documents
    Evaluate(Box<EvaluateArgs>),
    /// Draw pairs for annotators, and read their labels: they correct the judge
    Sample(SampleArgs),
    /// Have annotators judge pairs in the browser, blind: the sample, or where judges disagree
    Review(ReviewArgs),
    /// Measure the reliability of labels: agreement on documents and on systems
    Agree(AgreeArgs),
    /// Check judges by their answers: position, noise, cycles, length, shared words, one grade
    Audit(AuditArgs),
    /// Compare the judges in the ledger: agreement, position, noise, unusable replies, price, latency
    Judges(JudgesArgs),
    /// Show which labels change between two rubrics, prompts, judges or files, and the effect on systems
    Diff(DiffArgs),
    /// Write report.html, report.md, report.json and labels.qrels again, from the ledger alone
    Report(ReportArgs),
    /// Show the study as pages of a local server: the report, every query, two systems side by side
    Serve(ServeArgs),
    /// Count, export or import the judgments in the ledger
    Ledger(LedgerArgs),
    /// List the encoders on this machine, or add one
    Models(ModelsArgs),
    /// Print a shell's completion script
    Completions(CompletionsArgs),
}

impl Command {
    /// The value of `--format`, if this command has that option and it was given.
    fn format(&self) -> Option<Format> {
        match self {
            Self::Rank(args) => args.format,
            Self::Measure(args) => args.format,
            Self::Compare(args) => args.format,
            Self::Evaluate(args) => args.format,
            Self::Report(args) => args.format,
            _ => None,
        }
    }
}
