//! The hash of a file's bytes, by which a study remembers what it read.

use std::path::Path;

use llull_core::Hash;

use crate::error::StudyError;

/// Returns the hash of a file's bytes. A BEIR folder is known by its queries.
pub(crate) fn hash_file(path: &Path) -> Result<Hash, StudyError> {
    let path = if path.is_dir() { llull_data::beir_queries(path)? } else { path.to_owned() };
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(fs_err::File::open(path)?)?;
    Ok(Hash(*hasher.finalize().as_bytes()))
}
