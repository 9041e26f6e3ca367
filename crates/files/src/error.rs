//! Errors of a file of labels, runs or comparisons.

use llull_core::NothingShared;
use llull_data::DataError;

/// An error of a file of labels, runs or comparisons. Every message names the file, the place in it, and the remedy.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// It cannot be read; the message names the file.
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
        /// The number of items in the answer.
        items: usize,
        /// The query, if the file names queries.
        query: Option<String>,
    },
}
