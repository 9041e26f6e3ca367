//! What the process says when it ends.

use std::process::ExitCode;

/// How a command ended. Errors are no part of this: they end with 1, and wrong usage with 2 (clap's own).
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
pub(crate) const ERROR: u8 = 1;

/// The codes, for `--help`.
pub(crate) const HELP: &str =
    "Exit codes: 0 fine, 1 error, 2 wrong usage, 3 done but some judgments are missing, 100 a gate failed.";
