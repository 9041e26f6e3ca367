//! Documents of the pool, with or without text.

use std::borrow::Cow;

use llull_core::Document;

/// A document of the pool, with its text if the corpus has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PooledDocument {
    /// A document with its text.
    Found(Document),
    /// The identifier of a document that is in a run but not in the corpus. Only judges that need no text can judge
    /// it.
    IdOnly(String),
}

impl PooledDocument {
    /// Returns the identifier.
    pub fn id(&self) -> &str {
        match self {
            Self::Found(document) => &document.id,
            Self::IdOnly(id) => id,
        }
    }

    /// Returns the document, if its text is known.
    pub fn document(&self) -> Option<&Document> {
        match self {
            Self::Found(document) => Some(document),
            Self::IdOnly(_) => None,
        }
    }

    /// Returns the title and text as a judge reads them; empty if the text is unknown.
    pub fn text(&self) -> Cow<'_, str> {
        self.document().map(Document::shown).unwrap_or_default()
    }
}
