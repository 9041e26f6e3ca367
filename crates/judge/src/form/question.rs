//! The form of an answer that is a question about a passage.

use serde_json::{Value, json};
use strum::{Display, EnumString, IntoStaticStr, VariantNames};

/// The category of a question about a passage.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Display, EnumString, IntoStaticStr, VariantNames,
)]
#[strum(serialize_all = "kebab-case", parse_err_ty = UnknownCategory, parse_err_fn = UnknownCategory::of)]
pub enum QuestionCategory {
    /// One fact that the passage states, in the passage's own terms.
    DirectFact,
    /// The same, in other words than the passage's.
    Paraphrase,
    /// A few words, as people type them into a search box.
    Keyword,
    /// A detail that the passage mentions in passing.
    Detail,
    /// The main statement of the whole passage.
    Summary,
    /// A question that the passage does not answer, although it seems to belong there.
    OutOfContext,
}

/// The error for a name that is no category's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} is no category: there are {}", <QuestionCategory as strum::VariantNames>::VARIANTS.join(", "))]
pub struct UnknownCategory {
    /// The name.
    pub name: String,
}

impl UnknownCategory {
    fn of(name: &str) -> Self {
        Self { name: name.to_owned() }
    }
}

impl QuestionCategory {
    /// All categories.
    pub const ALL: [Self; 6] =
        [Self::DirectFact, Self::Paraphrase, Self::Keyword, Self::Detail, Self::Summary, Self::OutOfContext];

    /// Returns the name that command lines and files use.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns whether the passage answers such a question.
    pub fn is_answered(self) -> bool {
        self != Self::OutOfContext
    }
}

/// A question about a passage, with the answer that it expects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenQuestion {
    /// The question.
    pub question: String,
    /// The answer; `None` where the passage does not answer it.
    pub answer: Option<String>,
}

/// Returns the JSON schema of a question with its answer, in the subset that OpenAI's strict mode accepts: both are
/// null where the passage gives no such question.
pub fn question_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "question": {"type": ["string", "null"]},
            "answer": {"type": ["string", "null"]},
        },
        "required": ["question", "answer"],
        "additionalProperties": false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_category_is_read_as_it_is_named() {
        for category in QuestionCategory::ALL {
            assert_eq!(category.to_string().parse(), Ok(category));
        }
        let error = "facts".parse::<QuestionCategory>().unwrap_err().to_string();
        assert!(error.contains("direct-fact, paraphrase, keyword"), "{error}");
    }
}
