//! The form of questions that a language model writes.
//!
//! The topics of the study are categories, its documents passages.

use llull_config::JudgeSettings;
use llull_core::{Hash, KeyBuilder, Reason, Scale, Unusable};
use llull_judge::{
    PromptError, QuestionCategory, QuestionPrompt, RawReply, Rendered, WrittenQuestion, question_schema,
    read_question,
};
use llull_llm::ResponseSchema;
use llull_runner::Case;
use llull_study::{Estimate, StudyError, StudyEvidence};
use serde::{Deserialize, Serialize};

use super::check::answers_question_rubric;
use super::options::SynthesisError;
use crate::generation::{WrittenForm, estimate_of_writer};

/// A question in a verdict's explanation.
#[derive(Serialize, Deserialize)]
struct Written {
    question: String,
    answer: Option<String>,
}

/// Returns the question in a verdict's explanation; `None` if it holds none.
pub(super) fn written(rationale: &str) -> Option<WrittenQuestion> {
    let Written { question, answer } = serde_json::from_str(rationale).ok()?;
    Some(WrittenQuestion { question, answer })
}

/// A question about a passage, with the answer that it expects.
pub(super) struct QuestionForm(QuestionPrompt);

impl QuestionForm {
    pub(super) fn new() -> Result<Self, PromptError> {
        Ok(Self(QuestionPrompt::new()?))
    }
}

/// Returns the grades of a study that writes questions: those of the check.
pub(super) fn scale() -> Result<Scale, StudyError> {
    Ok(answers_question_rubric()?.scale)
}

fn category(case: &Case<'_>) -> Result<QuestionCategory, String> {
    case.topic.text.parse().map_err(|error: llull_judge::UnknownCategory| error.to_string())
}

impl WrittenForm for QuestionForm {
    const WRITES: &'static str = "questions";

    fn prompt(&self) -> (&'static str, Hash) {
        (self.0.name(), self.0.hash())
    }

    fn schema(&self) -> ResponseSchema {
        ResponseSchema { name: "question".to_owned(), schema: question_schema() }
    }

    fn render(&self, case: &Case<'_>) -> Result<Rendered, String> {
        let passage = case.texts().next().unwrap_or_default();
        self.0.render(category(case)?, &passage).map_err(|error| error.to_string())
    }

    fn key(&self, writer: &Hash, case: &Case<'_>) -> KeyBuilder {
        let key = KeyBuilder::new("llull written question v1").part("writer", &writer.0);
        let key = key.text("category", &case.topic.text);
        case.texts().fold(key, |key, text| key.text("passage", &text))
    }

    fn read(&self, case: &Case<'_>, reply: &RawReply<'_>) -> Result<Option<String>, Unusable> {
        let unknown = |detail| Unusable { reason: Reason::WrongShape, detail };
        let written = read_question(reply, category(case).map_err(unknown)?)?;
        Ok(written.map(|WrittenQuestion { question, answer }| {
            serde_json::json!({ "question": question, "answer": answer }).to_string()
        }))
    }
}

/// Returns the cost of the questions of a [writing study](super::Synthesis::writing_study) that its ledger lacks.
///
/// # Errors
/// Returns an error if the prompt cannot be rendered.
pub fn writer_estimate(
    settings: &JudgeSettings,
    evidence: &StudyEvidence,
) -> Result<Option<Estimate>, SynthesisError> {
    Ok(estimate_of_writer(settings, QuestionForm::new()?, scale()?, evidence)?)
}
