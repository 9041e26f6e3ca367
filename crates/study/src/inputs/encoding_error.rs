//! Errors of encoding texts.

/// An error of encoding texts.
#[derive(Debug, thiserror::Error)]
pub enum EncodingError {
    /// A text could not be encoded, or its vector not saved.
    #[cfg(feature = "encoders")]
    #[error("{0}")]
    Encode(#[from] llull_encoder::EncodeError),
    /// A model on this machine cannot be used.
    #[cfg(feature = "encoders")]
    #[error("{0}")]
    ModelFiles(#[from] llull_encoder::ModelFilesError),
    /// The encoder of queries cannot be used.
    #[error("{0}")]
    Encoder(String),
}
