//! Hashes a file's bytes, to recognize the inputs of a study.

use std::path::Path;

use llull_core::Hash;
use llull_data::{DataError, shown_path};

/// Returns the hash of a file's bytes. The hash of a BEIR folder is that of its queries; another folder is an error.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub fn hash_file(path: &Path) -> Result<Hash, DataError> {
    let queries = path.is_dir().then(|| llull_data::beir_queries(path).ok()).flatten();
    let path = queries.as_deref().unwrap_or(path);
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(llull_data::open_file(path)?).map_err(|source| DataError::Io {
        file: shown_path(path),
        action: "read",
        source,
    })?;
    Ok(Hash(*hasher.finalize().as_bytes()))
}
