//! The identifiers of indexed documents.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::index_error::IndexError;

/// The identifiers of the indexed documents, by number, each once.
#[derive(Default)]
pub(crate) struct DocumentIds {
    numbers: IndexSet<Box<str>, FxBuildHasher>,
}

impl DocumentIds {
    /// Adds a document. Returns its number.
    ///
    /// # Errors
    /// Returns an error if the identifier was added before, or there are too many documents.
    pub(crate) fn add(&mut self, id: &str) -> Result<u32, IndexError> {
        let (number, new) = self.numbers.insert_full(id.into());
        if !new {
            return Err(IndexError::Duplicate(id.to_owned()));
        }
        u32::try_from(number).map_err(|_| IndexError::TooLarge)
    }

    /// Returns all identifiers in the order of their numbers.
    #[cfg(feature = "dense")]
    pub(crate) fn to_vec(&self) -> Vec<&str> {
        self.numbers.iter().map(|id| &**id).collect()
    }

    /// Returns the same, with the identifiers themselves.
    pub(crate) fn into_vec(self) -> Vec<Box<str>> {
        self.numbers.into_iter().collect()
    }
}
