//! Asking for trust, on a terminal.

use std::io::{self, BufRead as _, IsTerminal as _};

use anyhow::Result;
use llull::reach::ReachEntry;

use crate::printer::Printer;

/// The user's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// This time.
    Once,
    /// From now on, for this study.
    Always,
    /// No, or no answer: the end of the input, or an unknown word.
    No,
}

/// Asks the user whether a study may use an entry; `None` without a terminal.
///
/// # Errors
///
/// Returns an error if standard input cannot be read.
pub(crate) fn ask(printer: Printer, entry: &ReachEntry) -> Result<Option<Answer>> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Ok(None);
    }
    printer.warn(&entry.text);
    printer.warn(format!("allow {}? y: this time, a: always for this study, anything else: no", entry.entry));
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    Ok(Some(answer(&line)))
}

fn answer(line: &str) -> Answer {
    match line.trim().to_lowercase().as_str() {
        "y" | "yes" => Answer::Once,
        "a" | "always" => Answer::Always,
        _ => Answer::No,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clear_yes_is_one() {
        assert_eq!(
            [answer("y\n"), answer(" YES "), answer("a\n")],
            [Answer::Once, Answer::Once, Answer::Always]
        );
        for no in ["", "\n", "n\n", "yy", "allow", "1"] {
            assert_eq!(answer(no), Answer::No, "{no:?}");
        }
    }
}
