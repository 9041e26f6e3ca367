//! The answers that a system found, with rank and reason.

use std::fmt;

use serde::Serialize;

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

/// The number of an answer's facts that a text supports. It prints as a phrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct SupportedFacts {
    /// The number of supported facts.
    pub supported: usize,
    /// The number of all facts, at least 1.
    pub all: usize,
    /// The number of facts without a usable judgment. They count as not supported.
    #[serde(skip_serializing_if = "is_none")]
    pub unknown: usize,
}

impl SupportedFacts {
    /// Returns the supported share, from 0 to 1; facts without a usable judgment count as not supported.
    pub fn share(self) -> f64 {
        self.supported as f64 / self.all.max(1) as f64
    }
}

fn is_none(count: &usize) -> bool {
    *count == 0
}

impl fmt::Display for SupportedFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} facts", self.supported, self.all)?;
        if self.unknown > 0 { write!(f, ", {} without a judgment", self.unknown) } else { Ok(()) }
    }
}
