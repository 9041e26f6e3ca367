//! Conditions that two figures do not share.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A condition under which a figure was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    /// The texts of the documents.
    Corpus,
    /// The queries and their texts.
    Queries,
    /// The rubric, which defines relevance.
    Rubric,
    /// The judges, and how several of them count.
    Judge,
}

impl Condition {
    /// Returns its name: `corpus`, `queries`, `rubric`, `judge`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Corpus => "corpus",
            Self::Queries => "queries",
            Self::Rubric => "rubric",
            Self::Judge => "judge",
        }
    }
}

/// One condition that differs between compared figures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Incomparability {
    /// The condition that differs.
    pub of: Condition,
    /// The difference, and its consequence, in one or two sentences.
    pub sentence: String,
}

impl Incomparability {
    /// A condition with its sentence.
    pub fn new(of: Condition, sentence: impl Into<String>) -> Self {
        Self { of, sentence: sentence.into() }
    }

    /// The same as one line: `not measured alike (corpus): ...`
    pub fn line(&self) -> String {
        format!("not measured alike ({}): {}", self.of.name(), self.sentence)
    }
}
