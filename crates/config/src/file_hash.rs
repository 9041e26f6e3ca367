//! The hash of a file's bytes, by which a study remembers what it read.

use std::path::Path;

use llull_core::Hash;
use llull_data::{DataError, shown_path};

/// Returns the hash of a file's bytes. A BEIR folder is known by its queries; another folder cannot be read.
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
