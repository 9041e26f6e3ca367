//! The command line of `llull`, as a library.
//!
//! The program `llull` and the command of the Python package are both [`run`].

mod args;
mod commands;
mod environment;
mod exit;
mod exit_code;
mod interrupt;
#[cfg(feature = "otel")]
mod otel;
mod printer;
mod progress;
mod trust;

pub use commands::run_command_line as run;
pub use environment::{Environment as StudyEnvironment, exported_variables};
pub use trust::remembered as remembered_trust;
