//! The chores of the house: `cargo xtask tidy` checks what reviews forget, `cargo xtask generate` writes what is
//! generated (`--check` only compares).

mod generate;
mod tidy;

use std::process::ExitCode;

use anyhow::Result;

const USAGE: &str = "\
usage: cargo xtask tidy                    the rules that decide
       cargo xtask tidy --all              every rule, also those that are off
       cargo xtask tidy --list [CRATE...]  the same, tab-separated: rule, crate, place, message
       cargo xtask generate [--check]";

#[expect(clippy::print_stderr, clippy::print_stdout, reason = "a chore speaks to whoever runs it")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["tidy", "--list", owners @ ..] => {
            let owners = owners.iter().map(|owner| (*owner).to_owned()).collect();
            return match complaints(&tidy::Choice::All(owners), tidy::Complaint::row) {
                Ok(rows) => {
                    rows.iter().for_each(|row| println!("{row}"));
                    ExitCode::SUCCESS
                }
                Err(error) => failed(&error),
            };
        }
        ["tidy"] => complaints(&tidy::Choice::On, ToString::to_string),
        ["tidy", "--all"] => complaints(&tidy::Choice::All(Vec::new()), ToString::to_string),
        ["generate"] => generate::run(false),
        ["generate", "--check"] => generate::run(true),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(complaints) if complaints.is_empty() => {
            println!("{}: fine", words.join(" "));
            ExitCode::SUCCESS
        }
        Ok(complaints) => {
            eprintln!("{}", complaints.join("\n"));
            ExitCode::FAILURE
        }
        Err(error) => failed(&error),
    }
}

#[expect(clippy::print_stderr, reason = "a chore speaks to whoever runs it")]
fn failed(error: &anyhow::Error) -> ExitCode {
    eprintln!("{error:#}");
    ExitCode::FAILURE
}

fn complaints(choice: &tidy::Choice, line: impl Fn(&tidy::Complaint) -> String) -> Result<Vec<String>> {
    Ok(tidy::run(choice)?.iter().map(line).collect())
}
