//! Why a model cannot be asked to write.

use llull_judge::PromptError;
use llull_study::StudyError;

/// Why a model cannot be asked to write.
#[derive(Debug, thiserror::Error)]
pub enum WriterError {
    /// Nobody can write.
    #[error("{0} is no language model, and only language models write")]
    NoModel(String),
    /// The prompt is wrong.
    #[error(transparent)]
    Prompt(#[from] PromptError),
    /// What is said of its study.
    #[error(transparent)]
    Study(Box<StudyError>),
}

impl From<StudyError> for WriterError {
    fn from(error: StudyError) -> Self {
        Self::Study(Box::new(error))
    }
}
