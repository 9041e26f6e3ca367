//! The only module that prints: results to standard output, everything else to standard error.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

/// Prints results, notes, warnings and errors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Printer {
    quiet: bool,
    color: bool,
}

impl Printer {
    /// Creates a printer. With `quiet` it prints no notes. It uses colour if standard error is a terminal, unless
    /// `no_color`.
    pub(crate) fn new(quiet: bool, no_color: bool) -> Self {
        Self { quiet, color: !no_color && io::stderr().is_terminal() }
    }

    /// Prints a result. A reader that has gone away (`| head`) is not an error.
    pub(crate) fn result(self, text: impl Display) -> io::Result<()> {
        match writeln!(io::stdout().lock(), "{text}") {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }

    /// Prints a result that `write` produces piece by piece.
    pub(crate) fn stream(self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let mut out = io::BufWriter::new(io::stdout().lock());
        match write(&mut out).and_then(|()| out.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }

    /// Prints a note on what is going on, unless quiet.
    pub(crate) fn note(self, text: impl Display) {
        if !self.quiet {
            self.line("", "", text);
        }
    }

    /// Prints a warning, even when quiet.
    pub(crate) fn warn(self, text: impl Display) {
        self.line("warning: ", "\u{1b}[33m", text);
    }

    /// Prints an error.
    pub(crate) fn error(self, text: impl Display) {
        self.line("error: ", "\u{1b}[31m", text);
    }

    /// Whether a progress bar may be drawn.
    pub(crate) fn draws(self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }

    // If standard error is closed, nobody reads this.
    fn line(self, label: &str, color: &str, text: impl Display) {
        let mut err = io::stderr().lock();
        let _ = if self.color && !label.is_empty() {
            writeln!(err, "{color}{label}\u{1b}[0m{text}")
        } else {
            writeln!(err, "{label}{text}")
        };
    }
}
