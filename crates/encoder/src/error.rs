//! Errors of encoding texts.

use std::path::PathBuf;

/// Why texts have no vectors.
#[derive(Debug, thiserror::Error)]
pub enum EncodeError {
    /// The model failed.
    #[error("encoder {encoder}: {reason}")]
    Model {
        /// The encoder's name.
        encoder: String,
        /// The error, and what to do.
        reason: String,
    },
    /// The vectors differ from the expected ones in number or dimensions.
    #[error(
        "encoder {encoder}: {found}, where {expected} were expected; the server may be none for embeddings"
    )]
    Vectors {
        /// The encoder's name.
        encoder: String,
        /// The result.
        found: String,
        /// The expected result.
        expected: String,
    },
    /// A number of a vector is not finite.
    #[error("a vector has a value that is no finite number")]
    NotFinite,
    /// The file of saved vectors belongs to another encoder, or has another format.
    #[error(
        "{}: {what}. Remove the file: its texts are encoded again", path.display()
    )]
    NotKept {
        /// The file.
        path: PathBuf,
        /// The error in it.
        what: String,
    },
    /// The file of saved vectors cannot be read or written.
    #[error(transparent)]
    File(#[from] std::io::Error),
}
