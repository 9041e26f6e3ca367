//! Which group of processes a program is in.

/// Which group a process is in: a terminal's Ctrl-C goes to all that are in one with the shell's command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessGroup {
    /// The one of the process that starts it.
    Shared,
    /// One of its own, with what it starts in its turn: Ctrl-C does not reach it, and it is ended with all of them.
    Own,
}
