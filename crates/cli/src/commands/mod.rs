//! One file a command; here, which one it is.

mod agree;
mod compare;
mod completions;
mod demo;
mod doctor;
mod init;
mod judge;
mod label;
mod ledger;
mod measure;
mod plan;
mod pool;
mod prompt;
mod rank;
mod report;
mod retrieve;
mod run;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use llull::config::{ConfigError, Overrides};
use llull::core::Seed;
use llull::data::shown_path;
use llull::judge::{BUILTIN_COMPARING_PROMPTS, BUILTIN_GRADING_PROMPTS};
use llull::stats::{BootstrapOptions, Correction, PairTest};
use llull::{Study, StudyError};

use crate::args::{Cli, Command, GlobalArgs};
use crate::environment::Environment;
use crate::exit::{self, Exit, Usage, refuse};
use crate::printer::Printer;

/// What every command is given.
pub(crate) struct Context {
    /// The options of every command.
    pub(crate) global: GlobalArgs,
    /// Where output goes.
    pub(crate) printer: Printer,
    /// The environment, with `.env` below it.
    pub(crate) environment: Environment,
}

impl Context {
    /// Opens the study in hand under what the command line says.
    pub(crate) fn study(&self, said: Overrides) -> Result<Study> {
        let lookup = |name: &str| self.environment.get(name);
        let said = Overrides {
            judges: said.judges.iter().map(|judge| self.judge_found_here(judge)).collect(),
            prompt: said.prompt.map(|prompt| self.found_here(&prompt).unwrap_or(prompt)),
            ..said
        };
        if let Some(prompt) = &said.prompt {
            self.is_a_prompt(prompt)?;
        }
        let typed = said.judges.clone();
        let overrides = said.over(Overrides::from_environment(&lookup)?);
        match Study::open(&self.global.study, &overrides) {
            Err(StudyError::Config(error @ ConfigError::NoModel { .. })) if !typed.is_empty() => {
                refuse!("{error}")
            }
            opened => Ok(opened?),
        }
    }

    /// A word that names no prompt is no file either, unless there is one.
    fn is_a_prompt(&self, prompt: &str) -> Result<()> {
        let built_in = || BUILTIN_GRADING_PROMPTS.iter().chain(&BUILTIN_COMPARING_PROMPTS);
        let path_like = prompt.contains(['/', '.']) || self.global.study.join(prompt).exists();
        if path_like || built_in().any(|known| *known == prompt) {
            return Ok(());
        }
        let known: Vec<&str> = built_in().copied().collect();
        refuse!(
            "--prompt {prompt}: no such prompt is built in; choose one of {}, or give the path of a template file",
            known.join(", ")
        );
    }

    /// The file of `replay:FILE` may be of this folder as well as of the study's.
    fn judge_found_here(&self, judge: &str) -> String {
        let file = judge.strip_prefix("replay:").and_then(|file| self.found_here(file));
        file.map_or_else(|| judge.to_owned(), |file| format!("replay:{file}"))
    }

    /// The whole path of a file that is in the current folder and not in the study's.
    fn found_here(&self, file: &str) -> Option<String> {
        let here = Path::new(file);
        let in_study = self.global.study.join(here).exists();
        let full = (!in_study && here.is_file()).then(|| here.canonicalize().ok()).flatten()?;
        full.into_os_string().into_string().ok()
    }
}

/// Reads the command line, does what it says and returns the exit code.
pub(crate) fn dispatch() -> ExitCode {
    let cli = Cli::typed();
    let environment = match Environment::read(&cli.global.study) {
        Ok(environment) => environment,
        Err(error) => {
            Printer::new(false, false).error(message(&error));
            return exit::of_error(&error);
        }
    };
    let no_color = environment.get("NO_COLOR").is_some();
    let context =
        Context { printer: Printer::new(cli.global.quiet, no_color), global: cli.global, environment };
    match command(&context, cli.command) {
        Ok(exit) => exit.into(),
        Err(error) => {
            context.printer.error(message(&error));
            exit::of_error(&error)
        }
    }
}

/// Standard input can be read once.
pub(crate) fn one_standard_input<'a>(files: impl IntoIterator<Item = &'a PathBuf>) -> Result<()> {
    if files.into_iter().filter(|file| file.as_os_str() == "-").count() > 1 {
        refuse!("- is standard input, and stands for one file only; name the others");
    }
    Ok(())
}

/// A run that is named twice, however its path is written, would be two systems.
pub(crate) fn each_run_once(runs: &[PathBuf]) -> Result<()> {
    if let Some(run) = named_twice(runs) {
        refuse!("{}: this run is named twice; name each system once", shown_path(run));
    }
    Ok(())
}

/// Labels that are named twice would be two raters.
pub(crate) fn each_rater_once(labels: &[PathBuf]) -> Result<()> {
    if let Some(file) = named_twice(labels) {
        refuse!(
            "{}: these labels are named twice, and would count as two raters'; name each once",
            shown_path(file)
        );
    }
    Ok(())
}

/// The first file that has been named before, however its path is written.
fn named_twice(files: &[PathBuf]) -> Option<&Path> {
    let places: Vec<PathBuf> = files.iter().map(|file| place(file)).collect();
    let twice = (0..places.len()).find(|at| places[..*at].contains(&places[*at]))?;
    files.get(twice).map(PathBuf::as_path)
}

/// Tukey's test corrects by itself, and a second correction would only hide differences.
pub(crate) fn correction(test: PairTest, asked: Option<Correction>) -> Result<Correction> {
    match (test, asked) {
        (PairTest::Tukey, Some(correction)) if correction != Correction::None => refuse!(
            "--correct {correction}: the p of --test tukey hold for all systems together as they are; leave --correct out, or name another --test"
        ),
        (_, correction) => Ok(correction.unwrap_or_default()),
    }
}

/// What the command line says about resampling, `--resamples`, `--confidence` and `--seed`, goes before what the study says.
/// Refuses what cannot be drawn.
pub(crate) fn bootstrap(
    resamples: Option<u32>,
    confidence: Option<f64>,
    seed: Option<u64>,
    usual: BootstrapOptions,
) -> Result<BootstrapOptions> {
    let options = BootstrapOptions {
        resamples: resamples.map_or(usual.resamples, |resamples| resamples as usize),
        confidence: confidence.unwrap_or(usual.confidence),
        seed: seed.map_or(usual.seed, Seed),
    };
    options.check().map_err(|error| Usage(error.to_string()))?;
    Ok(options)
}

/// Where a file is, however its path is written.
pub(crate) fn place(file: &Path) -> PathBuf {
    fs_err::canonicalize(file).unwrap_or_else(|_| file.to_owned())
}

/// An error with its causes, less those that it has told already.
fn message(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if !text.contains(&cause) {
            let colon = if text.is_empty() { "" } else { ": " };
            text = format!("{text}{colon}{cause}");
        }
    }
    text
}

fn command(context: &Context, command: Command) -> Result<Exit> {
    match command {
        Command::Demo(args) => demo::run(context, &args),
        Command::Init(args) => init::run(context, args),
        Command::Doctor(args) => doctor::run(context, &args),
        Command::Run(args) => run::run(context, &args),
        Command::Retrieve(args) => retrieve::run(context, &args),
        Command::Pool(args) => pool::run(context, &args),
        Command::Prompt(args) => prompt::run(context, &args),
        Command::Plan(args) => plan::run(context, &args),
        Command::Judge(args) => judge::run(context, &args),
        Command::Label(args) => label::run(context, &args),
        Command::Rank(args) => rank::run(context, &args),
        Command::Measure(args) => measure::run(context, &args),
        Command::Compare(args) => compare::run(context, &args),
        Command::Agree(args) => agree::run(context, &args),
        Command::Report(args) => report::run(context, &args),
        Command::Ledger(args) => ledger::run(context, &args),
        Command::Completions(args) => completions::run(context, &args),
    }
}
