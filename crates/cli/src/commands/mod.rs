//! One file a command; here, which one it is.

mod compare;
mod completions;
mod demo;
mod doctor;
mod init;
mod judge;
mod label;
mod ledger;
mod measure;
mod pool;
mod prompt;
mod report;
mod retrieve;
mod run;

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use llull::Study;
use llull::config::Overrides;

use crate::args::{Cli, Command, GlobalArgs};
use crate::environment::Environment;
use crate::exit::{self, Exit};
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
        let overrides = said.over(Overrides::from_environment(&lookup)?);
        Ok(Study::open(&self.global.study, &overrides)?)
    }
}

/// Reads the command line, does what it says and returns the exit code.
pub(crate) fn dispatch() -> ExitCode {
    let cli = Cli::parse();
    let environment = match Environment::read(&cli.global.study) {
        Ok(environment) => environment,
        Err(error) => {
            Printer::new(false, false).error(format!("{error:#}"));
            return ExitCode::from(exit::ERROR);
        }
    };
    let no_color = environment.get("NO_COLOR").is_some();
    let context = Context { printer: Printer::new(cli.global.quiet, no_color), global: cli.global, environment };
    match command(&context, cli.command) {
        Ok(exit) => exit.into(),
        Err(error) => {
            context.printer.error(format!("{error:#}"));
            ExitCode::from(exit::ERROR)
        }
    }
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
        Command::Judge(args) => judge::run(context, &args),
        Command::Label(args) => label::run(context, &args),
        Command::Measure(args) => measure::run(context, &args),
        Command::Compare(args) => compare::run(context, &args),
        Command::Report(args) => report::run(context, &args),
        Command::Ledger(args) => ledger::run(context, &args),
        Command::Completions(args) => completions::run(context, &args),
    }
}
