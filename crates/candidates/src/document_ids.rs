//! The identifiers of indexed documents.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::index_error::IndexError;

/// The identifiers of the documents indexed, by number, each once.
#[derive(Default)]
pub(crate) struct DocumentIds {
    numbers: IndexSet<Box<str>, FxBuildHasher>,
}

impl DocumentIds {
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
