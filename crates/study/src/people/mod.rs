//! Annotators of a study: samples, answers and labels.
//!
//! An annotator is a judge whose answers in the ledger are labels of the sample.

mod annotator_answer;
mod answer_record;
mod comparisons;
mod error;
mod labels;
mod person_name;
mod saved_sample;
mod standing_answers;

pub use annotator_answer::AnnotatorAnswer;
pub use answer_record::{ADJUDICATE_QUEUE, AnswerKind, AnswerRecord, PairDraw, RANDOM_QUEUE, SAMPLE_QUEUE};
pub use comparisons::PeopleComparisons;
pub(crate) use comparisons::people_comparisons;
pub use error::PeopleError;
pub(crate) use labels::people_labels;
pub use labels::{AnnotatorGrade, PeopleLabels, PooledCases, SampledPair};
pub use person_name::person_name;
pub(crate) use person_name::refuse_all_reviewers;
pub use saved_sample::StudySample;
pub(crate) use saved_sample::{keep, kept, kept_as};
pub use standing_answers::StandingAnswers;
