//! The parts of a document that an index searches.

use std::borrow::Cow;

use llull_core::Document;
use serde::{Deserialize, Serialize};

/// The parts of a document that are searched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fields {
    /// Title and text together.
    #[default]
    All,
    /// The title alone. A document without a title is never found.
    Title,
    /// The text alone.
    Text,
}

impl Fields {
    /// Returns these parts of a document.
    pub fn of(self, document: &Document) -> Cow<'_, str> {
        match self {
            Self::All => document.shown(),
            Self::Title => Cow::Borrowed(&document.title),
            Self::Text => Cow::Borrowed(&document.text),
        }
    }
}
