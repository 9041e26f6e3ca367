//! Why texts do not become vectors.

/// Why texts do not become vectors.
#[derive(Debug, thiserror::Error)]
pub enum EncodingError {
    /// A text could not be encoded, or its vector not be kept.
    #[cfg(feature = "encoders")]
    #[error("{0}")]
    Encode(#[from] llull_encoder::EncodeError),
    /// A model on this machine cannot be used.
    #[cfg(feature = "encoders")]
    #[error("{0}")]
    ModelFiles(#[from] llull_encoder::ModelFilesError),
    /// What makes vectors of queries cannot be used.
    #[error("{0}")]
    Encoder(String),
}
