//! The only place that writes to the terminal: results to standard output, everything else to standard error.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

/// Where output goes and how much of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Printer {
    quiet: bool,
    color: bool,
}

impl Printer {
    /// A printer that is silent but for results, warnings and errors when `quiet`, and that colours its notices
    /// when standard error is a terminal and `NO_COLOR` is not set.
    pub(crate) fn new(quiet: bool, no_color: bool) -> Self {
        Self { quiet, color: !no_color && io::stderr().is_terminal() }
    }

    /// Writes a result. A reader that has gone away (`| head`) is no error.
    pub(crate) fn result(self, text: impl Display) -> io::Result<()> {
        match writeln!(io::stdout().lock(), "{text}") {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }

    /// Writes a result through `write`, for output that is too long to hold.
    pub(crate) fn stream(self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let mut out = io::BufWriter::new(io::stdout().lock());
        match write(&mut out).and_then(|()| out.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }

    /// Says what is going on.
    pub(crate) fn note(self, text: impl Display) {
        if !self.quiet {
            self.line("", "", text);
        }
    }

    /// Says what the user should know even when quiet.
    pub(crate) fn warn(self, text: impl Display) {
        self.line("warning: ", "\u{1b}[33m", text);
    }

    /// Says why it did not work.
    pub(crate) fn error(self, text: impl Display) {
        self.line("error: ", "\u{1b}[31m", text);
    }

    /// Whether progress may be drawn over itself.
    pub(crate) fn draws(self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }

    // A closed standard error leaves nobody to tell.
    fn line(self, label: &str, color: &str, text: impl Display) {
        let mut err = io::stderr().lock();
        let _ = if self.color && !label.is_empty() {
            writeln!(err, "{color}{label}\u{1b}[0m{text}")
        } else {
            writeln!(err, "{label}{text}")
        };
    }
}
