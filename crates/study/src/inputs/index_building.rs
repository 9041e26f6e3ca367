//! Builds the indexes of llull's own retrievers.

use std::sync::Arc;

use llull_candidates::{
    Bm25Builder, Bm25Options, CharNgramsBuilder, Fields, Fts5Builder, IndexError, Retriever,
};
use llull_config::{Field, RetrieverKind, SystemSettings, SystemSource};
use llull_core::Document;

use crate::error::StudyError;

/// A retriever while its index is built.
pub(super) enum Building {
    Bm25(Bm25Builder),
    Ngram(CharNgramsBuilder),
    Fts5(Fts5Builder),
}

impl Building {
    /// Adds a document of the corpus.
    pub(super) fn add(&mut self, document: &Document) -> Result<(), IndexError> {
        match self {
            Self::Bm25(index) => index.add(document),
            Self::Ngram(index) => index.add(document),
            Self::Fts5(index) => index.add(document),
        }
    }

    /// Returns the retriever.
    ///
    /// # Errors
    /// Returns an error if the index cannot be written.
    pub(super) fn build(self) -> Result<Arc<dyn Retriever>, IndexError> {
        Ok(match self {
            Self::Bm25(index) => Arc::new(index.build()),
            Self::Ngram(index) => Arc::new(index.build()),
            Self::Fts5(index) => Arc::new(index.build()?),
        })
    }
}

/// Returns an empty index to build; `None` for a retriever of the caller's own.
pub(super) fn builder(system: &SystemSettings) -> Result<Option<Building>, StudyError> {
    let SystemSource::Retriever { retriever, fields, k1, b, language } = &system.source else {
        return Ok(None);
    };
    let fields = searched(fields);
    let default = Bm25Options::default();
    Ok(Some(match retriever {
        RetrieverKind::Bm25 => Building::Bm25(Bm25Builder::new(
            &system.name,
            Bm25Options {
                fields,
                k1: k1.map_or(default.k1, |k1| k1 as f32),
                b: b.map_or(default.b, |b| b as f32),
                language: language.unwrap_or(default.language),
            },
        )?),
        RetrieverKind::Ngram => Building::Ngram(CharNgramsBuilder::new(&system.name, fields)),
        RetrieverKind::Fts5 => Building::Fts5(Fts5Builder::new(&system.name, fields)?),
    }))
}

/// The searched parts of a document.
pub(super) fn searched(fields: &[Field]) -> Fields {
    match (fields.contains(&Field::Title), fields.contains(&Field::Text)) {
        (true, false) => Fields::Title,
        (false, true) => Fields::Text,
        _ => Fields::All,
    }
}
