//! Exit codes.

use std::fmt;

use llull::report::CiState;

pub(crate) use crate::exit_code::Exit;
use crate::exit_code::{EXITS, SIGNALS};

impl From<CiState> for Exit {
    fn from(state: CiState) -> Self {
        match state {
            CiState::Passed | CiState::NoGates => Self::Fine,
            CiState::Incomplete => Self::Incomplete,
            CiState::Failed => Self::GateFailed,
        }
    }
}

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

pub(crate) fn of_error(error: &anyhow::Error) -> Exit {
    if error.is::<Usage>() { Exit::WrongUsage } else { Exit::Failed }
}

/// Returns the exit codes, for `--help`.
pub(crate) fn help() -> String {
    let (codes, ended, _) = SIGNALS;
    let all: Vec<String> = EXITS.iter().map(|(exit, name, _)| format!("{} {name}", exit.code())).collect();
    format!("Exit codes: {}; {codes} {ended}.", all.join(", "))
}
