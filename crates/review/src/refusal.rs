//! Reasons why a review cannot begin, or refuses an answer.

use llull_core::{Grade, Scale};
use llull_study::people::AnnotatorAnswer;

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
