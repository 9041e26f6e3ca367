//! Exit codes.

use std::fmt;
use std::process::ExitCode;

/// How a command ended without an error. Errors end with 1, wrong usage with 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Everything is done.
    Fine,
    /// Done, but some judgments are missing.
    Incomplete,
    /// A gate failed.
    GateFailed,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Fine => 0,
            Exit::Incomplete => 3,
            Exit::GateFailed => 100,
        })
    }
}

/// The exit code of an error that is not wrong usage.
const ERROR: u8 = 1;

/// The exit code of wrong usage; it is clap's.
const USAGE: u8 = 2;

/// Wrong usage: the command line is invalid whatever the files hold, for example because options exclude each other. A
/// command checks for it, before any work, where clap cannot.
#[derive(Debug)]
pub(crate) struct Usage(pub(crate) String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// Ends a command with [`Usage`].
macro_rules! refuse {
    ($($text:tt)+) => { return Err($crate::exit::Usage(format!($($text)+)).into()) };
}
pub(crate) use refuse;

pub(crate) fn of_error(error: &anyhow::Error) -> ExitCode {
    ExitCode::from(if error.is::<Usage>() { USAGE } else { ERROR })
}

/// The exit codes, for `--help`.
pub(crate) const HELP: &str =
    "Exit codes: 0 fine, 1 error, 2 wrong usage, 3 done but some judgments are missing, 100 a gate failed.";
