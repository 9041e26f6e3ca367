//! The parts of a BEIR folder: `corpus.jsonl`, `queries.jsonl`, `qrels/*.tsv`, compressed or not.

use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::{DataError, error::shown_path};

const COMPRESSIONS: [&str; 3] = ["", ".gz", ".zst"];

/// The folder's corpus: `corpus.jsonl`, or else that with `.gz` or `.zst`.
///
/// # Errors
/// When there is none.
pub fn beir_corpus(folder: impl AsRef<Path>) -> Result<PathBuf, DataError> {
    part(folder.as_ref(), "corpus.jsonl")
}

/// The folder's topics: `queries.jsonl`, or else that with `.gz` or `.zst`.
///
/// # Errors
/// When there are none.
pub fn beir_queries(folder: impl AsRef<Path>) -> Result<PathBuf, DataError> {
    part(folder.as_ref(), "queries.jsonl")
}

/// The folder's qrels with the names of their splits (`test`, `dev`), by name. Empty when it has none.
///
/// # Errors
/// When the folder `qrels` exists and cannot be listed.
pub fn beir_qrels(folder: impl AsRef<Path>) -> Result<Vec<(String, PathBuf)>, DataError> {
    let folder = folder.as_ref().join("qrels");
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut splits = Vec::new();
    for entry in fs::read_dir(&folder).map_err(DataError::File)? {
        let path = entry.map_err(DataError::File)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let split = COMPRESSIONS.iter().find_map(|end| name.strip_suffix(&format!(".tsv{end}")));
        if let Some(split) = split {
            splits.push((split.to_owned(), path.clone()));
        }
    }
    splits.sort();
    Ok(splits)
}

/// Whether the line is the header of BEIR's qrels.
pub(crate) fn is_qrels_header(line: &str) -> bool {
    let mut columns = line.split_ascii_whitespace();
    matches!(columns.next(), Some("query-id" | "query_id"))
        && matches!(columns.next(), Some("corpus-id" | "corpus_id"))
        && columns.next() == Some("score")
        && columns.next().is_none()
}

fn part(folder: &Path, name: &str) -> Result<PathBuf, DataError> {
    let candidates = COMPRESSIONS.iter().map(|end| folder.join(format!("{name}{end}")));
    candidates.into_iter().find(|path| path.is_file()).ok_or_else(|| DataError::Folder {
        folder: shown_path(folder),
        found: format!("there is no {name} in it, nor {name}.gz or {name}.zst"),
        remedy: String::from(
            "A BEIR folder holds corpus.jsonl, queries.jsonl and qrels/; otherwise name the file itself",
        ),
    })
}
