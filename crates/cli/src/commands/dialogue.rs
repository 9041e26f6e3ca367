//! Questions on a terminal.

use std::io::BufRead;

use anyhow::{Result, bail};
use llull::data::{ColumnName, Columns};

use crate::printer::Printer;

/// Returns the name under which a column can be chosen for a role. One name means the same column in all files, so it
/// is `None` if another file has it already.
pub(crate) fn free_name(role: &str, known: &Columns) -> Option<ColumnName> {
    role.parse().ok().filter(|name| known.iter().all(|(taken, _)| taken != *name))
}

/// Asks questions, each until its answer can be used.
pub(crate) struct Dialogue<'a> {
    input: Box<dyn BufRead + 'a>,
    printer: Printer,
}

impl<'a> Dialogue<'a> {
    /// Reads answers from `input`, a line each.
    pub(crate) fn new(input: impl BufRead + 'a, printer: Printer) -> Self {
        Self { input: Box::new(input), printer }
    }

    /// Asks, and returns what `take` makes of the answer; of an empty one, of the default. If it returns an error,
    /// llull shows it and repeats the question.
    ///
    /// # Errors
    /// Returns an error if the input ends.
    pub(crate) fn question<T>(
        &mut self,
        question: &str,
        default: &str,
        mut take: impl FnMut(&mut Self, &str) -> Result<T>,
    ) -> Result<T> {
        loop {
            match default {
                "" => self.printer.announce(question),
                _ => self.printer.announce(format!("{question} [{default}]")),
            }
            let mut line = String::new();
            if self.input.read_line(&mut line)? == 0 {
                bail!("the input ended before all questions were answered; nothing was written");
            }
            let answer = line.trim();
            match take(self, if answer.is_empty() { default } else { answer }) {
                Ok(taken) => return Ok(taken),
                Err(error) => self.printer.error(format!("{error:#}")),
            }
        }
    }

    /// Asks which of several columns has a role: `fault` says of which file.
    ///
    /// # Errors
    /// Returns an error if the input ends.
    pub(crate) fn column(&mut self, fault: &str, candidates: &[String]) -> Result<String> {
        let question = format!("{fault}. Which column is it? ({})", candidates.join(", "));
        let default = candidates.first().map_or("", String::as_str);
        self.question(&question, default, |_, typed| match candidates.iter().find(|it| *it == typed) {
            Some(column) => Ok(column.clone()),
            None => bail!("{typed:?} is not among these columns"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_answer_is_asked_for_again_and_the_end_is_an_error() {
        let mut dialogue = Dialogue::new(&b"x\n 7 \n\n"[..], Printer::new(true, true));
        let mut number =
            |default: &str| dialogue.question("How many?", default, |_, typed| Ok(typed.parse::<u32>()?));
        assert_eq!((number("3").unwrap(), number("3").unwrap()), (7, 3));
        assert!(number("3").unwrap_err().to_string().contains("nothing was written"));
    }
}
