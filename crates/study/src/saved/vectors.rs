//! The vectors of texts that are saved in a study's folder.

use std::path::PathBuf;

use llull_config::Folder;
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
    Ok(KeptVectors::in_file(place(folder, &vectors_file(encoder))?, encoder)?)
}

fn place(folder: &Folder, name: &str) -> Result<PathBuf, StudyError> {
    let file = folder.private_file(format!("{VECTORS}/{name}"))?;
    if let Some(parent) = file.parent() {
        fs_err::create_dir_all(parent)?;
    }
    Ok(file)
}
