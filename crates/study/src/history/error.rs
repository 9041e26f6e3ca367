//! The errors of saved reports.

use std::path::PathBuf;

/// Why a saved report cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// No report is saved.
    #[error("no report is saved in {0}; llull run and llull report save one")]
    Empty(PathBuf),
    /// No saved report has this number.
    #[error(
        "no report has the number {number}; the saved ones are {first} to {last} (llull history lists them)"
    )]
    NoSuchNumber {
        /// The number.
        number: u32,
        /// The lowest number.
        first: u32,
        /// The highest.
        last: u32,
    },
    /// A file cannot be read.
    #[error("{file}: {problem}; restore the file, or delete it: other reports do not depend on it")]
    Broken {
        /// The file.
        file: PathBuf,
        /// The problem.
        problem: String,
    },
    /// A newer llull wrote the file.
    #[error(
        "{file}: its version is {version}, and this llull reads {known}; use the llull that wrote it, or delete it"
    )]
    Version {
        /// The file.
        file: PathBuf,
        /// Its version.
        version: u64,
        /// The version that this llull reads.
        known: u32,
    },
}
