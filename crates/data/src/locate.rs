//! Finds a line again, for a message that must name it.

use std::path::Path;

use crate::{DataError, beir::is_qrels_header, lines::Lines};

/// Returns the first line, from 1, of a run or qrels file that holds this query and, if one is given, this
/// document.
///
/// Readers do not remember where every line was; the file is read a second time instead if an error needs it.
/// `None` if there is no such line, or if the file cannot be read again, as with standard input.
pub fn locate(path: impl AsRef<Path>, topic: &str, document: Option<&str>) -> Option<u64> {
    let path = path.as_ref();
    if path.as_os_str() == "-" {
        return None;
    }
    let mut lines = Lines::open(path).ok()?;
    let mut beir = None;
    while let Some(line) = lines.next_entry().ok()? {
        let beir = *beir.get_or_insert_with(|| is_qrels_header(line.text));
        let mut columns = line.text.split_ascii_whitespace();
        if columns.next() != Some(topic) {
            continue;
        }
        let found = columns.nth(if beir { 0 } else { 1 });
        if document.is_none() || found == document {
            return Some(line.number);
        }
    }
    None
}

/// Returns the first line of a file that is neither blank nor a comment; `None` if the file has none.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub fn first_entry(path: impl AsRef<Path>) -> Result<Option<String>, DataError> {
    let mut lines = Lines::open(path.as_ref())?;
    Ok(lines.next_entry()?.map(|line| line.text.to_owned()))
}
