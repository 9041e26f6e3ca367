//! The rubric of expected answers.

use llull_judge::{Rubric, RubricError};

/// Returns the rubric of language models: grade 1 means that the text states the expected answer, 0 that it does not.
///
/// # Errors
/// The text is built in; an error would be one of its own.
pub fn expected_answer_rubric() -> Result<Rubric, RubricError> {
    Rubric::parse(include_str!("../rubrics/expected-answer.md"), "rubrics/expected-answer.md")
}
