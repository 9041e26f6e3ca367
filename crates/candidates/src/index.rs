//! What the embedded indexes have in common: which parts of a document they search, and what they refuse.

use std::borrow::Cow;

use llull_core::Document;
use serde::{Deserialize, Serialize};

/// The parts of a document that are searched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fields {
    /// Title and text as one.
    #[default]
    All,
    /// The title alone. A document without a title is never found.
    Title,
    /// The text alone.
    Text,
}

impl Fields {
    /// These parts of a document.
    pub fn of(self, document: &Document) -> Cow<'_, str> {
        match self {
            Self::All => document.shown(),
            Self::Title => Cow::Borrowed(&document.title),
            Self::Text => Cow::Borrowed(&document.text),
        }
    }
}

/// Why an index cannot be built.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum IndexError {
    /// Results could not tell the two apart.
    #[error("the corpus holds document {0:?} twice: give each document its own identifier")]
    Duplicate(String),
    /// More documents than an index can number.
    #[error("the corpus is too large for an embedded index: at most 4,294,967,295 documents")]
    TooLarge,
    /// A parameter is outside its range.
    #[error("{name} = {value} is out of range: {range}")]
    Parameter {
        /// The parameter's name.
        name: &'static str,
        /// The value that was given.
        value: f32,
        /// What it may be.
        range: &'static str,
    },
}

/// The identifiers of the documents indexed, by number, each once.
#[derive(Default)]
pub(crate) struct Ids {
    numbers: indexmap::IndexSet<Box<str>, rustc_hash::FxBuildHasher>,
}

impl Ids {
    /// Numbers a document.
    pub(crate) fn add(&mut self, id: &str) -> Result<u32, IndexError> {
        let (number, new) = self.numbers.insert_full(id.into());
        if !new {
            return Err(IndexError::Duplicate(id.to_owned()));
        }
        u32::try_from(number).map_err(|_| IndexError::TooLarge)
    }

    /// All of them in the order of their numbers.
    pub(crate) fn into_vec(self) -> Vec<Box<str>> {
        self.numbers.into_iter().collect()
    }
}
