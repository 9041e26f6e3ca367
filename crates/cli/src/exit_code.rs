//! Exit codes and their meaning. `cargo xtask generate` writes them into the reference.

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Everything is done.
    Fine,
    /// An error that is not wrong usage.
    Failed,
    /// Wrong usage.
    WrongUsage,
    /// Done, but some judgments are missing.
    Incomplete,
    /// A gate failed.
    GateFailed,
}

/// Every exit, its short name in `--help`, and its meaning in the reference.
pub(crate) const EXITS: [(Exit, &str, &str); 5] = [
    (Exit::Fine, "fine", "success, with or without warnings"),
    (
        Exit::Failed,
        "error",
        "an error: a missing or invalid file, the environment, an unknown judge, system or query; a refused key or \
         unreachable server, if nothing was judged",
    ),
    (
        Exit::WrongUsage,
        "wrong usage",
        "wrong usage, independent of the contents of files: an unknown command or option, an invalid value, options \
         that exclude each other, a file named twice",
    ),
    (
        Exit::Incomplete,
        "done but some judgments are missing",
        "success, but some judgments or results are missing: a judge or the run was stopped, answers are unusable, or \
         queries failed",
    ),
    (
        Exit::GateFailed,
        "a gate failed",
        "a gate or a bound on a judge failed; one that cannot be answered fails too",
    ),
];

/// The codes of a process that a signal ended, their short name and their meaning: 128 and the signal's number.
pub(crate) const SIGNALS: (&str, &str, &str) =
    ("129, 130, 143", "ended by a signal", "ended by a signal; answers so far are saved");

impl Exit {
    /// Returns the process's exit code. That of wrong usage is clap's.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Failed => 1,
            Self::WrongUsage => 2,
            Self::Incomplete => 3,
            Self::GateFailed => 100,
        }
    }
}
