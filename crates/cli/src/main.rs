//! The command line of `llull`.

mod args;
mod commands;
mod environment;
mod exit;
mod exit_code;
mod interrupt;
mod printer;
mod progress;
mod trust;

use std::process::ExitCode;

/// Runs are read on all cores at once, and glibc's allocator grows each thread's heap by a page at a time: 4,300 system
/// calls for a run of a million lines, and a third of the time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    commands::dispatch()
}
