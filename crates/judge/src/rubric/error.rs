//! Errors in a rubric.

use crate::front_matter::FrontMatterError;

/// Why a rubric cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RubricError {
    /// Its content is not a rubric.
    #[error("{file}:{line}: {message}")]
    Invalid {
        /// The file, as the caller named it.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The error there, and advice.
        message: String,
    },
}

/// The error in a rubric, and its line; [`within`](Self::within) adds the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Defect {
    pub(super) line: usize,
    pub(super) message: String,
}

impl Defect {
    pub(super) fn new(line: usize, message: impl Into<String>) -> Self {
        Self { line, message: message.into() }
    }

    pub(super) fn within(self, file: &str) -> RubricError {
        RubricError::Invalid { file: file.to_owned(), line: self.line, message: self.message }
    }
}

impl From<FrontMatterError> for Defect {
    fn from(error: FrontMatterError) -> Self {
        Self::new(error.line, error.message)
    }
}
