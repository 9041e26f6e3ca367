//! Annotators of a study: samples, answers and labels.
//!
//! An annotator is a judge whose answers in the ledger are labels of the sample.

mod annotator_name;
mod answer_record;
mod comparisons;
mod error;
mod labels;
mod saved_sample;
mod standing_answers;

pub use annotator_name::annotator_name;
pub(crate) use annotator_name::refuse_all_annotators;
pub use answer_record::{ADJUDICATE_QUEUE, AnswerKind, AnswerRecord, PairDraw, RANDOM_QUEUE, SAMPLE_QUEUE};
pub(crate) use comparisons::human_comparisons;
pub use comparisons::{AnnotatorAnswer, HumanComparisons};
pub use error::HumanLabelsError;
pub(crate) use labels::human_labels;
pub use labels::{AnnotatorGrade, HumanLabels, PooledCases, SampledPair};
pub use saved_sample::StudySample;
pub(crate) use saved_sample::{keep, kept, kept_as};
pub use standing_answers::StandingAnswers;
