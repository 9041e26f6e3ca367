//! Documents of an index that encodes their texts: what waits to be encoded, and where what was made of it stands.

use llull_core::Document;

use crate::document_ids::DocumentIds;
use crate::fields::Fields;
use crate::index_error::IndexError;

/// The documents of an index, in their order. One without text is known and never encoded.
#[derive(Default)]
pub(crate) struct EncodedDocuments {
    ids: DocumentIds,
    /// The texts that are not encoded yet, each with its document.
    waiting: Vec<(u32, String)>,
    /// The documents that can be found, each with the row of what was made of its text.
    rows: Vec<(u32, u32)>,
}

impl EncodedDocuments {
    /// Adds a document, and returns how many texts wait.
    ///
    /// # Errors
    /// Returns an error if a document with this identifier was added before.
    pub(crate) fn add(&mut self, document: &Document, fields: Fields) -> Result<usize, IndexError> {
        let number = self.ids.add(&document.id)?;
        let text = fields.of(document);
        if !text.trim().is_empty() {
            self.waiting.push((number, text.into_owned()));
        }
        Ok(self.waiting.len())
    }

    /// Encodes what waits by a function that returns the row of each text, and returns how many documents have one.
    ///
    /// # Errors
    /// Returns the function's error.
    pub(crate) fn encode<E>(
        &mut self,
        rows_of: impl FnOnce(&[&str]) -> Result<Vec<u32>, E>,
    ) -> Result<usize, E> {
        let waiting = std::mem::take(&mut self.waiting);
        let texts: Vec<&str> = waiting.iter().map(|(_, text)| text.as_str()).collect();
        let rows = rows_of(&texts)?;
        self.rows.extend(waiting.iter().map(|(number, _)| *number).zip(rows));
        Ok(self.rows.len())
    }

    /// Returns the identifiers, and the rows of the documents that can be found.
    pub(crate) fn parts(&self) -> (Vec<&str>, &[(u32, u32)]) {
        (self.ids.to_vec(), &self.rows)
    }
}
