//! Why a saved rubric cannot be used.

use std::path::PathBuf;

/// Why a saved rubric cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// No rubric that was kept, or several, have a hash that begins like this.
    #[error(
        "--rubric-hash {prefix}: {}",
        match known.as_slice() {
            [] => "no rubric was kept yet; llull run and judge keep those that judges are given".to_owned(),
            known => format!("it has to begin the hash of one rubric; those that were kept: {}", known.join(", ")),
        }
    )]
    NoSuchRubric {
        /// What was given.
        prefix: String,
        /// The hashes of all that were kept.
        known: Vec<String>,
    },
    /// The copy of a rubric is not what its name says.
    #[error("{}: it is not the rubric that judges were given: its hash is another. Delete it", .0.display())]
    ChangedCopy(PathBuf),
}
