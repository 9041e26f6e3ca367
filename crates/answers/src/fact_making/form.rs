//! The form of replies that list facts.
//!
//! The documents of the study are answers.

use llull_core::{Hash, KeyBuilder, Unusable};
use llull_judge::{FactsPrompt, PromptError, RawReply, Rendered, facts_schema, read_facts};
use llull_llm::ResponseSchema;
use llull_runner::Case;

use crate::generation::WrittenForm;

/// The facts of an expected answer.
pub(super) struct FactsForm(FactsPrompt);

impl FactsForm {
    pub(super) fn new() -> Result<Self, PromptError> {
        Ok(Self(FactsPrompt::new()?))
    }
}

/// Returns the facts in a verdict's explanation; `None` if it holds none.
pub(super) fn written(rationale: &str) -> Option<Vec<String>> {
    serde_json::from_str(rationale).ok()
}

impl WrittenForm for FactsForm {
    const WRITES: &'static str = "facts";

    fn prompt(&self) -> (&'static str, Hash) {
        (self.0.name(), self.0.hash())
    }

    fn schema(&self) -> ResponseSchema {
        ResponseSchema { name: "facts".to_owned(), schema: facts_schema() }
    }

    fn render(&self, case: &Case<'_>) -> Result<Rendered, String> {
        self.0.render(&case.texts().next().unwrap_or_default()).map_err(|error| error.to_string())
    }

    fn key(&self, writer: &Hash, case: &Case<'_>) -> KeyBuilder {
        let key = KeyBuilder::new("llull facts of an answer v1").part("writer", &writer.0);
        case.texts().fold(key, |key, text| key.text("answer", &text))
    }

    fn read(&self, _: &Case<'_>, reply: &RawReply<'_>) -> Result<Option<String>, Unusable> {
        read_facts(reply).map(|facts| Some(serde_json::json!(facts).to_string()))
    }
}
