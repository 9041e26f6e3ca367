//! The parts of a BEIR folder: `corpus.jsonl`, `queries.jsonl`, `qrels/*.tsv`, compressed or not.

use std::path::{Path, PathBuf};

use crate::{DataError, error::shown_path};

const COMPRESSIONS: [&str; 3] = ["", ".gz", ".zst"];

/// Returns the corpus of the folder: `corpus.jsonl`, or else that name with `.gz` or `.zst`.
///
/// # Errors
/// Returns an error if the folder has no corpus.
pub fn beir_corpus(folder: impl AsRef<Path>) -> Result<PathBuf, DataError> {
    part(folder.as_ref(), "corpus.jsonl")
}

/// Returns the queries of the folder: `queries.jsonl`, or else that name with `.gz` or `.zst`.
///
/// # Errors
/// Returns an error if there are none.
pub fn beir_queries(folder: impl AsRef<Path>) -> Result<PathBuf, DataError> {
    part(folder.as_ref(), "queries.jsonl")
}

/// Returns whether a line is the header of BEIR's qrels.
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
