//! Errors of comparing two sides of a study.

use std::path::PathBuf;

/// An error of comparing two sides of a study.
#[derive(Debug, thiserror::Error)]
pub enum DiffError {
    /// The control of a study cannot be read, or does not fit it.
    #[error("the control {}: {problem}", .folder.display())]
    Control {
        /// Its folder.
        folder: PathBuf,
        /// The error, with its remedy.
        problem: String,
    },
    /// The ledger lacks the side of a difference, or has several such sides.
    #[error("{side}: {problem}. {known}")]
    NoSuchSide {
        /// The side as typed.
        side: String,
        /// The error.
        problem: String,
        /// The available sides, and their notation.
        known: String,
    },
}
