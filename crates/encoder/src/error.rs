//! Why texts have no vectors.

use std::path::PathBuf;

/// Why texts have no vectors.
#[derive(Debug, thiserror::Error)]
pub enum EncodeError {
    /// The model failed.
    #[error("encoder {encoder}: {reason}")]
    Model {
        /// The encoder's name.
        encoder: String,
        /// What happened, and what to do.
        reason: String,
    },
    /// The vectors are not what they should be.
    #[error(
        "encoder {encoder}: {found}, where {expected} were expected; the server may be none for embeddings"
    )]
    Vectors {
        /// The encoder's name.
        encoder: String,
        /// What came.
        found: String,
        /// What should have come.
        expected: String,
    },
    /// A number of a vector is none.
    #[error("a vector has a value that is no finite number")]
    NotFinite,
    /// The file of kept vectors is another encoder's, or no such file.
    #[error(
        "{}: {what}. Remove the file: its texts are encoded again", path.display()
    )]
    NotKept {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The file of kept vectors cannot be read or written.
    #[error(transparent)]
    File(#[from] std::io::Error),
}
