//! Lists of query identifiers, one on each line.

use std::path::Path;

use llull_core::QueryFilter;

use crate::{DataError, error::shown_path, lines::Lines};

/// Reads a list of query identifiers, one on each line; empty lines are skipped, and so are lines that begin with `#`.
///
/// # Errors
/// Returns an error if the file cannot be read, or holds no identifier.
pub fn read_query_list(path: &Path) -> Result<QueryFilter, DataError> {
    let mut lines = Lines::open(path)?;
    let mut ids = Vec::new();
    while let Some(line) = lines.next_entry()? {
        ids.push(line.text.trim().to_owned());
    }
    if ids.is_empty() {
        return Err(DataError::Empty {
            file: shown_path(path),
            wanted: "identifier of a query",
            remedy: "Write one on each line".to_owned(),
        });
    }
    Ok(QueryFilter::Listed { list: shown_path(path), ids })
}
