//! Errors of reading a sheet.

use llull_core::Scale;

use crate::refusal::ReviewRefusal;

/// An error of reading a sheet. No row of it is recorded then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SheetError {
    /// The rows name an unknown queue.
    #[error(
        "{file}: its rows have the unknown draw {draw:?}; leave the column item unchanged. Nothing of this file was \
         recorded"
    )]
    UnknownDraw {
        /// The sheet.
        file: String,
        /// The draw in the rows.
        draw: String,
    },
    /// The sheet belongs to another command.
    #[error(
        "{file}: this is no sheet of this command; {command} takes it. Nothing of this file was recorded"
    )]
    OtherCommand {
        /// The sheet.
        file: String,
        /// The command that reads it.
        command: &'static str,
    },
    /// A pair differs from the one on the sheet.
    #[error(
        "{file} line {line}: pair {number} is not here as the sheet shows it: its query, a text or the rubric has \
         changed since the sheet was written, or the pool does not have it any more. Nothing of this file was \
         recorded; take the line out, or write the sheet again"
    )]
    Changed {
        /// The sheet.
        file: String,
        /// Its line.
        line: u64,
        /// The pair's number on the sheet.
        number: usize,
    },
    /// A yes or no in place of a grade.
    #[error(
        "{file} line {line}, column answer: yes and no are the grades 1 and 0, and this rubric has {scale}; write one \
         of its grades. Nothing of this file was recorded"
    )]
    YesOrNo {
        /// The sheet.
        file: String,
        /// Its line.
        line: u64,
        /// The rubric's scale.
        scale: Scale,
    },
    /// An invalid answer.
    #[error("{file} line {line}, column {column}: {why}")]
    Row {
        /// The sheet.
        file: String,
        /// Its line.
        line: u64,
        /// The column.
        column: &'static str,
        /// The error.
        why: ReviewRefusal,
    },
}
