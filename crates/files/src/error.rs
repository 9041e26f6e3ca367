//! Why a file of labels, runs or comparisons cannot be used.

use llull_core::NothingShared;
use llull_data::DataError;

/// Why a file of labels, runs or comparisons cannot be used. Every message says which file, where in it, and what to
/// do.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// It cannot be read; the error names it.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// It shares no identifier with the labels.
    #[error(transparent)]
    NothingShared(#[from] NothingShared),
    /// There is no label in it.
    #[error("{0}: no label in it; a line is: query 0 document grade")]
    NoLabels(String),
    /// An answer of a pairwise judge is about more than two items.
    #[error(
        "{file}: a ranking of {items} items{}. Coverage and calls are counted by pair, so answers have to be about two \
         items each; as a reference a file may hold rankings",
        query.as_ref().map_or_else(String::new, |query| format!(" of query {query:?}"))
    )]
    NotAPair {
        /// The file.
        file: String,
        /// How many items the answer is about.
        items: usize,
        /// The query, if the file names queries.
        query: Option<String>,
    },
}
