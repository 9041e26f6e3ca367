//! Why two sides of a study cannot be compared.

use std::path::PathBuf;

/// Why two sides of a study cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum DiffError {
    /// The control of a study cannot be read, or is no control for it.
    #[error("the control {}: {problem}", .folder.display())]
    Control {
        /// Its folder.
        folder: PathBuf,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// A side of a difference that the ledger does not have, or has several times.
    #[error("{side}: {problem}. {known}")]
    NoSuchSide {
        /// What was typed.
        side: String,
        /// What is wrong with it.
        problem: String,
        /// What there is, and how to name it.
        known: String,
    },
}
