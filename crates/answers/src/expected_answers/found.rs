//! Which answers a system found, where, and by what.

use serde::Serialize;

use super::supported::SupportedFacts;

/// What one system found of what is expected.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SystemAnswers {
    /// The system.
    pub system: String,
    /// The queries, in the order of the dataset.
    pub queries: Vec<QueryAnswers>,
}

/// What one system found for a query.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct QueryAnswers {
    /// The query.
    pub query: String,
    /// Whether the system answered it, be it with nothing.
    pub answered: bool,
    /// What it found, best result first.
    pub found: Vec<FoundAnswer>,
    /// What is expected and none of its results brought.
    pub never_found: Vec<String>,
    /// How many of its results have no text, and could not be judged.
    pub without_text: usize,
    /// How many of its results bring no answer, as far as is known: of some the judge said nothing usable.
    pub unusable: usize,
}

/// An expected answer that a result holds, or an expected document that was retrieved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FoundAnswer {
    /// What is expected: the answer, or the document's identifier.
    pub expected: String,
    /// The rank of the result, from 1.
    pub rank: usize,
    /// The result's document.
    pub document: String,
    /// The step of the judge that decided, as a phrase.
    pub because: String,
    /// How many facts of the answer the text supports; `None` unless judges are asked about facts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facts: Option<SupportedFacts>,
    /// The text that matched; empty for a document that is expected by its identifier.
    pub passage: String,
}
