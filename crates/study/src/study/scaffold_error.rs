//! Errors of writing a new study.

use std::path::PathBuf;

/// An error of writing a new study.
#[derive(Debug, thiserror::Error)]
pub enum ScaffoldError {
    /// The folder has a study already.
    #[error("{} is there already; nothing was written. Edit it, or name another folder", .0.display())]
    Occupied(PathBuf),
    /// The folder of the demo has another study, or the demo's was changed.
    #[error(
        "{folder} holds another study than the demo; nothing was written. Run it with llull -C {folder} run, or name \
         another folder",
        folder = .0.display()
    )]
    AnotherStudy(PathBuf),
    /// A problem with its place and its remedy, as text.
    #[error("{0}")]
    Problem(String),
}
