//! Errors of saved rubrics.

use std::path::PathBuf;

/// An error of a saved rubric.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// No saved rubric, or several, have a hash that begins with the given text.
    #[error(
        "--rubric-hash {prefix}: {}",
        match known.as_slice() {
            [] => "no rubric was saved yet; llull run saves those that judges are given".to_owned(),
            known => format!("it has to begin the hash of one rubric; those that were saved: {}", known.join(", ")),
        }
    )]
    NoSuchRubric {
        /// The given text.
        prefix: String,
        /// The hashes of all saved rubrics.
        known: Vec<String>,
    },
    /// The hash of a copy differs from its name.
    #[error("{}: it is not the rubric that judges were given: its hash is another. Delete it", .0.display())]
    ChangedCopy(PathBuf),
}
