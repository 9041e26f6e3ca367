//! People as judges of a study: the sample that they label, their answers in the ledger, and their labels.

mod answer_record;
mod comparisons;
mod kept_sample;
mod labels;
mod standing_answers;
mod taken_sheet;

pub(crate) use answer_record::{
    ADJUDICATE_QUEUE, AnswerKind, AnswerRecord, PairDraw, RANDOM_QUEUE, SAMPLE_QUEUE,
};
pub use comparisons::PeopleComparisons;
pub(crate) use comparisons::people_comparisons;
pub use kept_sample::StudySample;
pub(crate) use kept_sample::{keep, kept, kept_as};
pub use labels::{PeopleLabels, PersonsGrade, SampledPair};
pub(crate) use labels::{PooledCases, people_labels};
pub(crate) use standing_answers::StandingAnswers;
pub use taken_sheet::SheetTaken;
pub(crate) use taken_sheet::take_sheet;
