//! The chores of this repository.
//!
//! `cargo xtask tidy` checks rules that reviews forget. `cargo xtask generate` writes generated files (`--check` only
//! compares). `cargo xtask startup` measures the released binary, and `cargo xtask screenshots` makes the pictures of
//! README and docs.

mod generate;
mod record;
mod screenshots;
mod startup;
mod tidy;

use std::process::ExitCode;

use llull::core::Paradigm;

const USAGE: &str = "usage: cargo xtask tidy | cargo xtask generate [--check] | cargo xtask startup\n\
                     cargo xtask screenshots [--every-look FOLDER] | cargo xtask record FOLDER [listwise]";

#[expect(clippy::print_stderr, clippy::print_stdout, reason = "a chore speaks to whoever runs it")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["tidy"] => tidy::run().map(|complaints| complaints.iter().map(ToString::to_string).collect()),
        ["generate"] => generate::run(false),
        ["generate", "--check"] => generate::run(true),
        ["startup"] => startup::run(),
        ["record", folder] => record::run(folder, None),
        ["record", folder, "listwise"] => record::run(folder, Some(Paradigm::Listwise)),
        ["screenshots"] => screenshots::run(),
        ["screenshots", "--every-look", folder] => screenshots::every_look(folder),
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
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}
