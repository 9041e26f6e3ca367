//! The forms of an answer: keys, labels and JSON schema.

mod answer;
mod comparison;
mod facts;
mod grade;
mod place;
mod question;

pub use answer::AnswerForm;
pub(crate) use comparison::NEITHER;
pub use comparison::{CompareKind, ComparisonForm, comparison_schema};
pub use facts::{MOST_FACTS, facts_schema};
pub use grade::{GradeKind, grade_schema};
pub use place::AnswerPlace;
pub use question::{QuestionCategory, UnknownCategory, WrittenQuestion, question_schema};
