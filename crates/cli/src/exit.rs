//! What the process says when it ends.

use std::fmt;
use std::process::ExitCode;

/// How a command ended. Errors are no part of this: they end with 1, and wrong usage with 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All is done.
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

/// The code of an error.
const ERROR: u8 = 1;

/// The code of wrong usage, which is clap's.
const USAGE: u8 = 2;

/// What was typed cannot be, whatever the files say that it names: an option beside another one, or a value that is
/// none. Where clap cannot tell, a command refuses it before it does any work.
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

/// The code of this error.
pub(crate) fn of_error(error: &anyhow::Error) -> ExitCode {
    ExitCode::from(if error.is::<Usage>() { USAGE } else { ERROR })
}

/// The codes, for `--help`.
pub(crate) const HELP: &str =
    "Exit codes: 0 fine, 1 error, 2 wrong usage, 3 done but some judgments are missing, 100 a gate failed.";
