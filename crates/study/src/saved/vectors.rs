//! The vectors of texts that are saved in a study's folder.

use llull_config::{Folder, SavedFile};
use llull_encoder::{KeptVectors, vectors_file};

use crate::error::StudyError;

/// The folder of vectors, among llull's own.
const VECTORS: &str = "vectors";

/// Returns the vectors of an encoder that are saved in a study's folder, to which new ones are added; vectors in memory
/// if the folder saves nothing.
///
/// # Errors
/// Returns an error if a link leads to them, or they cannot be read.
pub fn saved_vectors(folder: &Folder, encoder: &str) -> Result<KeptVectors, StudyError> {
    if !folder.keeps() {
        return Ok(KeptVectors::in_memory());
    }
    let saved = SavedFile::new(folder, format!("{VECTORS}/{}", vectors_file(encoder)));
    Ok(KeptVectors::in_file(saved.path_to_append()?, encoder)?)
}
