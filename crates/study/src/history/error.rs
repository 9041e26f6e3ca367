//! The errors of saved reports.

use std::path::PathBuf;

/// Why a saved report cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// No report is saved.
    #[error("no report is saved in {0}; llull run and llull report save one")]
    Empty(PathBuf),
    /// A file cannot be read.
    #[error("{file}: {problem}; restore the file, or delete it: other reports do not depend on it")]
    Broken {
        /// The file.
        file: PathBuf,
        /// The problem.
        problem: String,
    },
    /// Labels, texts or lists of a report cannot be read.
    #[error(
        "{file}: {problem}. So labels, texts or lists of a saved report are lost: restore the file from a copy of the \
         study's folder"
    )]
    Lost {
        /// The file.
        file: PathBuf,
        /// The problem.
        problem: String,
    },
    /// A problem with its place and its remedy, as text.
    #[error("{0}")]
    Problem(String),
}
