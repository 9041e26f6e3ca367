//! Errors of reading a sheet.

use crate::refusal::ReviewRefusal;

/// An error of reading a sheet. No row of it is recorded then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SheetError {
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
    /// A problem with its place and its remedy, as text.
    #[error("{0}")]
    Problem(String),
}
