//! Errors of a review and its sheets, and refusals of answers.

use llull_core::{Grade, Scale};
use llull_data::DataError;
use llull_report::ReportError;
use llull_runner::WorkloadError;
use llull_stats::StatsError;
use llull_store::StoreError;
use llull_study::people::AnnotatorAnswer;
use llull_study::{HumanLabelsError, StudyError};

/// An error of a review.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// It cannot begin, or an answer is refused.
    #[error(transparent)]
    Refused(#[from] ReviewRefusal),
    /// A sheet is refused.
    #[error(transparent)]
    Sheet(#[from] SheetError),
    /// The study's sample, or an annotator's name, cannot be used.
    #[error(transparent)]
    HumanLabels(#[from] HumanLabelsError),
    /// The study cannot be read.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// The ledger cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file cannot be read or written.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A file cannot be read or written; the message names it.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The pairs of the queue cannot be built.
    #[error(transparent)]
    Workload(#[from] WorkloadError),
    /// The agreement of annotators cannot be computed.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// An interval cannot be computed.
    #[error(transparent)]
    Stats(#[from] StatsError),
}

/// The reason why a review cannot begin, or refuses an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReviewRefusal {
    /// The queue is empty.
    #[error("nothing is in the queue {queue}: {why}")]
    Empty {
        /// The queue.
        queue: &'static str,
        /// The reason, with a remedy.
        why: String,
    },
    /// The answer is to a pair that is not in the queue.
    #[error(
        "this answer belongs to a pair that is not in this queue any more: its query, its text or the rubric has \
         changed, or the server shows another queue now. Nothing was recorded"
    )]
    NotInQueue,
    /// The pair to settle is not in dispute.
    #[error(
        "this pair is not to be settled any more: annotators do not disagree on it now, or somebody has answered it \
         since this page was made. Nothing was recorded"
    )]
    NotDisputed,
    /// Another annotator settles the pairs.
    #[error(
        "these pairs are for {adjudicator} to settle, and {annotator} may have labelled them. Nothing was recorded"
    )]
    OtherAdjudicator {
        /// The annotator who answered.
        annotator: String,
        /// The annotator who settles.
        adjudicator: String,
    },
    /// The grade is not on the rubric's scale.
    #[error("grade {grade} is not on the rubric's scale, {scale}. Nothing was recorded")]
    OffScale {
        /// The grade.
        grade: Grade,
        /// The scale.
        scale: Scale,
    },
    /// A grade for two documents, or a choice for one.
    #[error("this is no answer to what the page asks. Nothing was recorded; load the page again")]
    OtherQuestion,
    /// The note is too long.
    #[error("the note has {length} bytes, and {most} is the most. Nothing was recorded")]
    LongNote {
        /// Its length.
        length: usize,
        /// The longest.
        most: usize,
    },
    /// The annotator answered the same pair after the page was made.
    #[error(
        "this pair has been answered since this page was made, in another tab or by another process: {}. Nothing was \
         recorded; look at it again to correct it",
        match standing { Some(verdict) => verdict.to_string(), None => "and the answer was taken back".to_owned() }
    )]
    Meanwhile {
        /// The current answer.
        standing: Option<AnnotatorAnswer>,
    },
    /// Enough annotators have answered.
    #[error(
        "{wanted} of {wanted} wanted answers to this pair are there already, by others (--overlap). Nothing was \
         recorded"
    )]
    Full {
        /// The wanted number.
        wanted: usize,
    },
    /// A pair with an answer is set aside.
    #[error("this pair has an answer, {0}; take it back first. Nothing was recorded")]
    Answered(AnnotatorAnswer),
    /// There is no answer to take back.
    #[error("there is nothing to undo")]
    NothingToUndo,
    /// A problem with its place and its remedy, as text.
    #[error("{0}")]
    Problem(String),
}

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
