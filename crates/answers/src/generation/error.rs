//! Errors of a model that writes.

use llull_judge::PromptError;
use llull_study::StudyError;

/// An error of a model that writes.
#[derive(Debug, thiserror::Error)]
pub enum WriterError {
    /// The judge cannot write.
    #[error("{0} is no language model, and only language models write")]
    NoModel(String),
    /// The prompt is wrong.
    #[error(transparent)]
    Prompt(#[from] PromptError),
    /// The error of its study.
    #[error(transparent)]
    Study(Box<StudyError>),
}

impl From<StudyError> for WriterError {
    fn from(error: StudyError) -> Self {
        Self::Study(Box::new(error))
    }
}
