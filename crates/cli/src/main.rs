//! `llull` on the command line.

mod args;
mod commands;
mod environment;
mod exit;
mod interrupt;
mod printer;
mod progress;
mod table;

use std::process::ExitCode;

fn main() -> ExitCode {
    commands::dispatch()
}
