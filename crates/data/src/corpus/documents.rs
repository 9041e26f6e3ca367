//! Reads the wanted documents of a corpus into memory.

use std::path::Path;

use indexmap::{IndexMap, map::Entry};
use llull_core::Document;
use rustc_hash::FxBuildHasher;

use super::{
    fields::CorpusFields,
    read::{CorpusNotes, read_through},
};
use crate::{Conflict, DataError, error::shown_path};

/// Documents by identifier, in the order of the corpus.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Documents {
    /// The wanted documents that were found. A wanted document that is missing here is not in the corpus.
    pub found: IndexMap<String, Document, FxBuildHasher>,
    /// The lines, from 1, of the documents found, in the same order.
    pub lines: Vec<u64>,
    /// Remarks on the corpus.
    pub notes: CorpusNotes,
}

impl Documents {
    /// Returns the documents found that have neither title nor text, with their lines. They cannot be judged.
    pub fn blank(&self) -> impl Iterator<Item = (&str, u64)> {
        let pairs = self.found.values().zip(&self.lines);
        pairs
            .filter(|(document, _)| document.is_blank())
            .map(|(document, line)| (document.id.as_str(), *line))
    }
}

/// Reads a corpus, as [`stream_corpus`](super::stream_corpus) does, and keeps the documents that are
/// `wanted`. Every document, wanted or not, is passed to `observe`, for example to build an index.
///
/// # Errors
/// Returns an error in the same cases as [`stream_corpus`](super::stream_corpus), and if a wanted document
/// occurs twice with different texts. (A repetition of the same text is harmless; duplicates of other
/// documents are not looked for.)
pub fn read_documents(
    path: impl AsRef<Path>,
    fields: &CorpusFields,
    wanted: impl Fn(&str) -> bool,
    observe: &mut dyn FnMut(&Document),
) -> Result<Documents, DataError> {
    let mut documents = Documents::default();
    let (found, lines) = (&mut documents.found, &mut documents.lines);
    let notes = read_through(path.as_ref(), fields, &mut |document, line| {
        observe(document);
        if !wanted(&document.id) {
            return Ok(());
        }
        match found.entry(document.id.clone()) {
            Entry::Vacant(place) => {
                place.insert(document.clone());
                lines.push(line);
                Ok(())
            }
            Entry::Occupied(place) if place.get() == document => Ok(()),
            Entry::Occupied(place) => Err(DataError::from(Conflict {
                file: shown_path(path.as_ref()),
                first: lines.get(place.index()).copied(),
                second: line,
                what: format!("both are document {}, with different texts", document.id),
                remedy: "Give each document its own identifier, or remove one".into(),
            })),
        }
    })?;
    documents.notes = notes;
    Ok(documents)
}
