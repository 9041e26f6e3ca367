//! The answers that a system found, with rank and reason.

use serde::Serialize;

use super::supported::SupportedFacts;

/// The expected answers that one system found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SystemAnswers {
    /// The system.
    pub system: String,
    /// The queries, in the order of the dataset.
    pub queries: Vec<QueryAnswers>,
}

/// The expected answers of a query that one system found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct QueryAnswers {
    /// The query.
    pub query: String,
    /// Whether the system has results for it, even if they are empty.
    pub answered: bool,
    /// The answers found, best result first.
    pub found: Vec<FoundAnswer>,
    /// The expected answers that none of its results contains.
    pub never_found: Vec<String>,
    /// The number of its results without a text, which could not be judged.
    pub without_text: usize,
    /// The number of its results without a known answer for which some judgment is unusable.
    pub unusable: usize,
}

/// An expected answer that a result contains, or an expected document that was retrieved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FoundAnswer {
    /// The expected answer, or the document's identifier.
    pub expected: String,
    /// The rank of the result, from 1.
    pub rank: usize,
    /// The result's document.
    pub document: String,
    /// The step of the judge that decided, as a phrase.
    pub because: String,
    /// The number of the answer's facts that the text supports; `None` unless judges judge facts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facts: Option<SupportedFacts>,
    /// The text that matched; empty for a document that is expected by its identifier.
    pub passage: String,
}
