//! Reviews: annotators label the pairs of a queue one by one.
//!
//! A pair is a query with a document to grade, or with two to compare. The crate tracks open pairs and annotators'
//! answers; an answer is in the ledger before the next pair is shown.
//!
//! A [`ReviewDesk`] has no judge's answer: it has the pairs, their texts, and the annotators' answers.
//! [`HumanLabelsStatus`] shows the progress of a sample's labels; it is for the pages that are not blind.

mod answers;
mod append_answer;
mod compared_queue;
mod desk;
mod disputes;
mod error;
mod first_place;
mod graded_queue;
mod item;
mod marks;
mod progress;
mod queue;
mod queued;
mod status;
mod take_sheet;
mod verdict;

pub use append_answer::{Answered, ReviewAnswer};
pub use desk::ReviewDesk;
pub use error::{ReviewError, ReviewRefusal, SheetError};
pub use item::{ReviewItem, RightDocument};
pub use marks::ReviewMark;
pub use progress::{ItemState, ReviewTally};
pub use queue::{ReviewOptions, ReviewQueue};
pub use status::{
    AnnotatorAgreement, AnnotatorProgress, CourseEstimate, CoursePoint, DecisionCourse, ExpectedAt,
    ExpectedHalfWidth, HumanLabelsStatus, PairAgreement, PickedAnswers, SampleProgress, SetAside,
};
pub use take_sheet::{LeftOut, LeftOutRow, SheetTaken, take_sheet};
pub use verdict::ReviewForm;

pub use llull_study::people::{AnnotatorAnswer, annotator_name};
