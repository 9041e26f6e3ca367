//! The questions and documents of a dataset.

use llull_core::Document;
use serde::{Deserialize, Serialize};

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

/// The origin of a question in a dataset. Unknown values are empty.
///
/// A generated question stays marked as such: readers and writers preserve this mark.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryOrigin {
    /// Whether a program generated it, instead of a person.
    pub synthetic: bool,
    /// The kind of question, such as `direct-fact`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub category: String,
    /// The model that wrote it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub model: String,
    /// The documents that it was written about, by identifier.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<String>,
    /// The part of the document that it was written about: from the first character to before the last, counted from 0
    /// in the document's title and text as they are shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub characters: Option<[u64; 2]>,
    /// The hash of the prompt's text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub prompt_hash: String,
    /// The seed by which the part was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The model that has checked whether its document answers it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub checked_by: String,
    /// The result of that model's check: `answered`, or `not-answered` where no answer is expected.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub check: String,
    /// How many passages that model was shown: its own, and of a question that none is to answer the nearest ones, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passages_checked: Option<u64>,
    /// The method that found the nearest ones: `bm25`, or `bm25` and an encoder.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub passages_found_by: String,
    /// The method besides shared words that excluded questions like it: an encoder, and a cosine.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub told_apart_by: String,
}

impl QueryOrigin {
    /// The category of questions that the documents do not answer, and that expect nothing for that reason.
    pub const OUT_OF_CONTEXT: &'static str = "out-of-context";

    /// Returns whether it is a question that the documents do not answer.
    pub fn is_out_of_context(&self) -> bool {
        self.category == Self::OUT_OF_CONTEXT
    }
}
