//! The questions and documents of a dataset.

use llull_core::Document;

use super::origin::QueryOrigin;

/// Questions with their expected results, and perhaps the documents.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EvaluationDataset {
    /// The questions, in the order of the file.
    pub queries: Vec<ExpectedQuery>,
    /// The documents that the file has, for results that come without their text.
    pub documents: Vec<Document>,
}

/// A question, with the answers or documents that a retriever should find.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExpectedQuery {
    /// The question's identifier.
    pub id: String,
    /// The question.
    pub text: String,
    /// The relevant documents, by identifier, each once. Where there are any, answers are not used.
    pub expected_doc_ids: Vec<String>,
    /// The answers that are expected, as text, each once.
    pub expected_answers: Vec<String>,
    /// Its origin, if the file has one.
    pub origin: Option<QueryOrigin>,
}

impl ExpectedQuery {
    /// Returns where it comes from, if it was made by a program.
    pub fn made(&self) -> Option<&QueryOrigin> {
        self.origin.as_ref().filter(|origin| origin.synthetic)
    }
}
