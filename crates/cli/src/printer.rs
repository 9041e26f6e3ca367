//! The only module that prints.
//!
//! Results go to standard output, everything else to standard error.
//!
//! Names, identifiers and texts come from files and servers, and may contain characters that a terminal acts on. Notes,
//! warnings, errors and results for people show them as escapes, everywhere. Results for machines go into a pipe or a
//! file byte for byte, and are shown like the rest on a terminal.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use llull::report::text::visible;
use serde::Serialize;

/// Prints results, notes, warnings and errors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Printer {
    quiet: bool,
    color: bool,
    /// Whether the output is the log of GitHub Actions, which obeys commands in it.
    in_actions: bool,
}

impl Printer {
    /// Creates a printer. With `quiet` it prints no notes. It uses colour if standard error is a terminal, unless
    /// `no_color`.
    pub(crate) fn new(quiet: bool, no_color: bool) -> Self {
        Self { quiet, color: !no_color && io::stderr().is_terminal(), in_actions: false }
    }

    /// Returns the printer for the log of GitHub Actions, where no name or text can be a command.
    pub(crate) fn for_actions(self) -> Self {
        Self { in_actions: true, ..self }
    }

    /// Prints commands of GitHub Actions, each on a line of its own.
    pub(crate) fn action_commands(self, commands: impl IntoIterator<Item = String>) -> io::Result<()> {
        let one = |command: String| command.replace("##[", "##\\u005b");
        Self { in_actions: false, ..self }.results(commands.into_iter().map(one))
    }

    /// Returns a text in which GitHub Actions finds no command: one begins with `::` at the start of a line, or with
    /// `##[` anywhere.
    fn inert(self, text: &str) -> Cow<'_, str> {
        if !self.in_actions || !text.contains("::") && !text.contains("##[") {
            return Cow::Borrowed(text);
        }
        let lines = text.split('\n').map(|line| {
            let start = line.len() - line.trim_start().len();
            match line[start..].strip_prefix("::") {
                Some(rest) => format!("{}\\u003a:{rest}", &line[..start]),
                None => line.to_owned(),
            }
        });
        Cow::Owned(lines.collect::<Vec<_>>().join("\n").replace("##[", "##\\u005b"))
    }

    /// Prints a result for people, or JSON, whose escapes keep its meaning. A reader that has gone away (`| head`) is
    /// not an error.
    pub(crate) fn result(self, text: impl Display) -> io::Result<()> {
        match writeln!(io::stdout().lock(), "{}", self.inert(&visible(&text.to_string()))) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }

    /// Prints results for people, each on a line of its own.
    pub(crate) fn results(self, texts: impl IntoIterator<Item = impl Display>) -> io::Result<()> {
        texts.into_iter().try_for_each(|text| self.result(text))
    }

    /// Prints a result as JSON.
    pub(crate) fn json(self, result: &(impl Serialize + ?Sized)) -> io::Result<()> {
        self.result(serde_json::to_string_pretty(result)?)
    }

    /// Prints a result for machines that `write` produces piece by piece.
    pub(crate) fn stream(self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let on_terminal = io::stdout().is_terminal();
        let out = io::BufWriter::new(io::stdout().lock());
        match write_for_machines(out, on_terminal, write) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }

    /// Prints a note, unless quiet.
    pub(crate) fn note(self, text: impl Display) {
        if !self.quiet {
            self.line("", "", &note(&text.to_string()));
        }
    }

    /// Prints a line for programs, even when quiet.
    pub(crate) fn json_line(self, value: &serde_json::Value) {
        self.line("", "", &visible(&value.to_string()));
    }

    /// Prints notes, unless quiet.
    pub(crate) fn notes(self, texts: impl IntoIterator<Item = impl Display>) {
        texts.into_iter().for_each(|text| self.note(text));
    }

    /// Prints a note that must not be missed: as a warning if notes are off.
    pub(crate) fn announce(self, text: impl Display) {
        if self.quiet { self.warn(text) } else { self.note(text) }
    }

    /// Prints remarks on files as warnings, unless quiet.
    pub(crate) fn remarks(self, texts: impl IntoIterator<Item = impl Display>) {
        if !self.quiet {
            self.warnings(texts);
        }
    }

    /// Prints a warning, even when quiet.
    pub(crate) fn warn(self, text: impl Display) {
        self.line("warning: ", "\u{1b}[33m", &message(&text.to_string()));
    }

    /// Prints warnings, even when quiet.
    pub(crate) fn warnings(self, texts: impl IntoIterator<Item = impl Display>) {
        texts.into_iter().for_each(|text| self.warn(text));
    }

    /// Prints an error.
    pub(crate) fn error(self, text: impl Display) {
        self.line("error: ", "\u{1b}[31m", &message(&text.to_string()));
    }

    /// A progress bar; `None` where none may be drawn: elsewhere than on a terminal, and when quiet.
    pub(crate) fn bar(self, length: u64, template: &str) -> Option<ProgressBar> {
        (!self.quiet && io::stderr().is_terminal()).then(|| {
            let style = ProgressStyle::with_template(template);
            ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr())
                .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        })
    }

    // If standard error is closed, nobody reads this.
    fn line(self, label: &str, color: &str, text: &str) {
        let mut err = io::stderr().lock();
        let text = self.inert(text);
        let _ = if self.color && !label.is_empty() {
            writeln!(err, "{color}{label}\u{1b}[0m{text}")
        } else {
            writeln!(err, "{label}{text}")
        };
    }
}

/// A warning, an error or a finding in its shown form. Its further lines are indented, so that no name in it can begin
/// a message of its own.
pub(crate) fn message(text: &str) -> Cow<'_, str> {
    indented(visible(text), |line| !line.is_empty() && !line.starts_with([' ', '\t']))
}

/// A note in its shown form. It may have several paragraphs, none of which looks like a warning or an error.
fn note(text: &str) -> Cow<'_, str> {
    indented(visible(text), |line| line.starts_with("warning:") || line.starts_with("error:"))
}

/// Indents those lines after the first that would be mistaken for another message.
fn indented(text: Cow<'_, str>, mistaken: impl Fn(&str) -> bool) -> Cow<'_, str> {
    if !text.lines().skip(1).any(&mistaken) {
        return text;
    }
    let mut lines = text.split('\n');
    let mut out = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        out.push_str(if mistaken(line) { "\n  " } else { "\n" });
        out.push_str(line);
    }
    Cow::Owned(out)
}

/// Writes a result for machines: unchanged, or visibly on a terminal.
fn write_for_machines(
    mut out: impl Write,
    on_terminal: bool,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    if !on_terminal {
        write(&mut out)?;
        return out.flush();
    }
    let mut shown = Shown { out, pending: Vec::new() };
    write(&mut shown)?;
    let rest = std::mem::take(&mut shown.pending);
    shown.out.write_all(visible(&String::from_utf8_lossy(&rest)).as_bytes())?;
    shown.flush()
}

/// A writer that shows special characters of terminals as escapes, line by line.
struct Shown<W> {
    out: W,
    /// The beginning of a line whose end has not come yet.
    pending: Vec<u8>,
}

impl<W: Write> Write for Shown<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match bytes.iter().rposition(|byte| *byte == b'\n') {
            None => self.pending.extend(bytes),
            Some(end) => {
                let (lines, rest) = bytes.split_at(end + 1);
                self.pending.extend(lines);
                let lines = std::mem::replace(&mut self.pending, rest.to_vec());
                self.out.write_all(visible(&String::from_utf8_lossy(&lines)).as_bytes())?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(on_terminal: bool, pieces: &[&[u8]]) -> Vec<u8> {
        let mut out = Vec::new();
        write_for_machines(&mut out, on_terminal, |out| {
            pieces.iter().try_for_each(|piece| out.write_all(piece))
        })
        .unwrap();
        out
    }

    #[test]
    fn what_is_for_machines_is_exact_but_on_a_terminal() {
        let pieces: [&[u8]; 4] = [b"q1 0 d\x1b]0;t\x07", b" 1\nq1 0 \xe2\x80", b"\xaed 1\n\xff", b"end\x9b"];
        assert_eq!(printed(false, &pieces), pieces.concat());
        let shown = String::from_utf8(printed(true, &pieces)).unwrap();
        assert_eq!(shown, "q1 0 d\\u001b]0;t\\u0007 1\nq1 0 \\u202ed 1\n\u{fffd}end\u{fffd}");
    }

    #[test]
    fn no_name_begins_a_message_of_its_own() {
        assert_eq!(
            message("query q1\nerror: nothing is wrong\n\n  indented"),
            "query q1\n  error: nothing is wrong\n\n  indented"
        );
        assert_eq!(message("query \u{1b}[2K\rq1"), "query \\u001b[2K\\u000dq1");
        assert_eq!(note("wrote it\n\nNext:\nwarning: x"), "wrote it\n\nNext:\n  warning: x");
        assert!(matches!(message("two lines\n  as they are"), Cow::Borrowed(_)));
    }
}
