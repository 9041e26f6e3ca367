//! A document as a run knows it: with its text, or by its identifier alone.

use std::borrow::Cow;

use llull_core::Document;

/// A document of the pool, with its text if that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PooledDocument {
    /// With its text.
    Found(Document),
    /// A run names it and no corpus has it. Only judges that need no text can be asked about it.
    IdOnly(String),
}

impl PooledDocument {
    /// Its identifier.
    pub fn id(&self) -> &str {
        match self {
            Self::Found(document) => &document.id,
            Self::IdOnly(id) => id,
        }
    }

    /// The document, if its text is known.
    pub fn document(&self) -> Option<&Document> {
        match self {
            Self::Found(document) => Some(document),
            Self::IdOnly(_) => None,
        }
    }

    /// Its title and text as a judge reads them; empty if the text is not known.
    pub fn text(&self) -> Cow<'_, str> {
        self.document().map(Document::shown).unwrap_or_default()
    }
}
