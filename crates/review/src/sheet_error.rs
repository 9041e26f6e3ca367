//! Why the sheet of a queue is not taken. Nothing of it is recorded then.

use llull_core::Scale;

use crate::refusal::ReviewRefusal;

/// Why the sheet of a queue is not taken. Nothing of it is recorded then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QueueSheetError {
    /// No queue of this llull is called so, or its rows say how they were drawn in another way.
    #[error(
        "{file}: its rows say that they were drawn as {draw:?}, which this llull does not know; keep the column item \
         as it was written. Nothing of this file was recorded"
    )]
    UnknownDraw {
        /// The sheet.
        file: String,
        /// How the rows say that they were drawn.
        draw: String,
    },
    /// The sheet asks about something else.
    #[error(
        "{file}: this is no sheet of this command; {command} takes it. Nothing of this file was recorded"
    )]
    OtherCommand {
        /// The sheet.
        file: String,
        /// The command that takes it.
        command: &'static str,
    },
    /// A pair is not what the sheet showed.
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
    /// A yes or no where grades are asked for.
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
    /// An answer that nobody could give.
    #[error("{file} line {line}, column {column}: {why}")]
    Row {
        /// The sheet.
        file: String,
        /// Its line.
        line: u64,
        /// The column.
        column: &'static str,
        /// What is wrong.
        why: ReviewRefusal,
    },
}
