//! Dispatches the command line to commands, and results to exit codes.

use std::ffi::OsString;
use std::io::{self, IsTerminal as _};

use anyhow::Result;
use llull::Folder;
use llull::config::columns_of;
use llull::data::{ColumnName, set_file_limit};

use super::dialogue::{Dialogue, free_name};
use super::{
    Context, agree, audit, batch, collect, compare, completions, demo, diff, doctor, evaluate, export,
    history, init, label, ledger, man, measure, models, plan, pool, prompt, rank, report, review, run,
    sample, serve, synthesize, train,
};
use crate::args::{Cli, Command, Format};
use crate::environment::{Environment, exported};
use crate::exit::{self, Exit};
use crate::printer::Printer;

/// Runs the command that these arguments name, the program's name before them, and returns the exit code.
///
/// It prints to standard output and standard error, and takes over signals where a command needs it. Arguments that are
/// wrong, `--help` and `--version` end the process.
pub fn run_command_line(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    dispatch(arguments.into_iter().collect()).code()
}

fn dispatch(arguments: Vec<OsString>) -> Exit {
    let cli = Cli::from_arguments(arguments.clone());
    let environment = match Environment::read(&cli.global.study) {
        Ok(environment) => environment,
        Err(error) => {
            Printer::new(false, false).error(message(&error));
            return exit::of_error(&error);
        }
    };
    let no_color = environment.get("NO_COLOR").is_some();
    let mut printer = Printer::new(cli.global.quiet, no_color);
    if exported("GITHUB_ACTIONS").is_some() {
        printer = printer.for_actions();
    }
    let is_for_people = !cli.global.json && cli.command.format() != Some(Format::Json);
    let (mut global, typed_columns) = (cli.global.clone(), cli.global.columns);
    let unread =
        columns_of(&Folder::new(&global.study), &typed_columns).map(|columns| global.columns = columns);
    let mut context = Context { printer, global, typed_columns, environment, is_for_people };
    if let Some(limit) = exported(MAX_FILE) {
        match file_size(&limit) {
            Some(bytes) => set_file_limit(bytes),
            None => {
                context.printer.error(format!("{MAX_FILE}={limit}: expected a size, such as 500MB or 4GiB"));
                return Exit::WrongUsage;
            }
        }
    }
    // It asks for itself, and each of its answers leads to the next question.
    let asks_itself = matches!(cli.command, Command::Init(_));
    let mut result = command(&context, cli.command);
    while !asks_itself
        && let Err(error) = &result
        && let Some((name, column)) = chosen_column(&context, &message(error))
    {
        context.typed_columns.name(name, vec![column.clone()]);
        context.global.columns.name(name, vec![column]);
        result = command(&context, Cli::from_arguments(arguments.clone()).command);
    }
    context.say_columns();
    match result.and_then(|exit| context.check_columns().map(|()| exit)) {
        Ok(exit) => {
            // To a command that needs the file, this is an error.
            if let Err(error) = unread {
                context.printer.warn(format!("{error}; its [columns] were not used"));
            }
            context.warn_of_idle_columns();
            exit
        }
        Err(error) => {
            context.printer.error(message(&error));
            exit::of_error(&error)
        }
    }
}

/// Asks on a terminal which of several columns the command should have read; `None` elsewhere, and for other errors.
/// Files are read before anything is paid or written, so the command can begin again.
fn chosen_column(context: &Context, error: &str) -> Option<(ColumnName, String)> {
    let (role, candidates) = context.typed_columns.take_ambiguity()?;
    let (fault, _) = error.split_once(". Name the right one: --columns")?;
    let name = free_name(role, &context.global.columns)?;
    if !context.is_for_people
        || context.global.quiet
        || !io::stdin().is_terminal()
        || !io::stderr().is_terminal()
    {
        return None;
    }
    let mut dialogue = Dialogue::new(io::stdin().lock(), context.printer);
    let column = dialogue.column(fault, &candidates).ok()?;
    context.printer.note(format!("without this question: --columns {}={column}", name.name()));
    Some((name, column))
}

/// The variable with the limit, in bytes, of a file that is read whole. Only the process's own is used: a study's
/// folder cannot raise its own limit.
const MAX_FILE: &str = "LLULL_MAX_FILE";

/// Parses a number of bytes.
fn file_size(text: &str) -> Option<u64> {
    let (number, unit) =
        text.trim().split_at(text.trim().find(|c: char| !c.is_ascii_digit()).unwrap_or(text.trim().len()));
    let bytes: u64 = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(bytes).filter(|bytes| *bytes > 0)
}

fn command(context: &Context, command: Command) -> Result<Exit> {
    match command {
        Command::Demo(args) => demo::run(context, &args),
        Command::Init(args) => init::run(context, args),
        Command::Doctor(args) => doctor::run(context, &args),
        Command::Run(args) => run::run(context, &args),
        Command::Pool(args) => pool::run(context, &args),
        Command::Prompt(args) => prompt::run(context, &args),
        Command::Plan(args) => plan::run(context, &args),
        Command::Label(args) => label::run(context, &args),
        Command::Rank(args) => rank::run(context, &args),
        Command::Train(args) => train::run(context, &args),
        Command::Measure(args) => measure::run(context, &args),
        Command::Compare(args) => compare::run(context, &args),
        Command::Export(args) => export::run(context, &args),
        Command::Synthesize(args) => synthesize::run(context, &args),
        Command::Evaluate(args) => evaluate::run(context, &args),
        Command::Sample(args) => sample::run(context, &args),
        Command::Review(args) => review::run(context, args),
        Command::Agree(args) => agree::run(context, &args),
        Command::Audit(args) => audit::run(context, &args),
        Command::Diff(args) => diff::run(context, &args),
        Command::History(args) => history::run(context, &args),
        Command::Collect(args) => collect::run(context, &args),
        Command::Report(args) => report::run(context, &args),
        Command::Serve(args) => serve::run(context, args),
        Command::Ledger(args) => ledger::run(context, &args),
        Command::Batch(args) => batch::run(context, &args),
        Command::Models(args) => models::run(context, &args),
        Command::Completions(args) => completions::run(context, &args),
        Command::Man(args) => man::run(context, &args),
    }
}

/// An error with its causes, without those that its text repeats already.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_bytes_with_or_without_a_unit() {
        for (text, bytes) in
            [("10", 10), ("10 B", 10), ("500MB", 500_000_000), ("4GiB", 4 << 30), (" 2kib ", 2048)]
        {
            assert_eq!(file_size(text), Some(bytes), "{text}");
        }
        for text in ["", "0", "x", "1.5GiB", "-1", "1TB", "99999999999GiB"] {
            assert_eq!(file_size(text), None, "{text}");
        }
    }
}
