//! People as judges of a study: the sample that they label, their answers in the ledger, and their labels.

mod answer_record;
mod comparisons;
mod labels;
mod saved_sample;
mod sheet_import;
mod standing_answers;

pub(crate) use answer_record::{
    ADJUDICATE_QUEUE, AnswerKind, AnswerRecord, PairDraw, RANDOM_QUEUE, SAMPLE_QUEUE,
};
pub use comparisons::PeopleComparisons;
pub(crate) use comparisons::people_comparisons;
pub use labels::{AnnotatorGrade, PeopleLabels, SampledPair};
pub(crate) use labels::{PooledCases, people_labels};
pub use saved_sample::StudySample;
pub(crate) use saved_sample::{keep, kept, kept_as};
pub use sheet_import::SheetTaken;
pub(crate) use sheet_import::take_sheet;
pub(crate) use standing_answers::StandingAnswers;
