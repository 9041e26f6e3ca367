//! The options of a synthesis, and its errors.

use llull_core::Seed;
use llull_data::DataError;
use llull_judge::PromptError;
use llull_study::StudyError;

use super::shares::CategoryShare;
use crate::generation::WriterError;

/// The options of a synthesis.
#[derive(Debug, Clone, PartialEq)]
pub struct SynthesisOptions {
    /// The wanted number of questions.
    pub questions: usize,
    /// The share of each category.
    pub shares: Vec<CategoryShare>,
    /// The maximum number of questions about one document.
    pub per_document: Option<usize>,
    /// The share of two questions' different words, from 0 to 1, from which one of them is dropped.
    pub similar: f64,
    /// The seed by which passages are drawn.
    pub seed: Seed,
}

impl SynthesisOptions {
    /// The default share of words from which two questions count as equal.
    pub const DEFAULT_SIMILAR: f64 = 0.8;

    /// The default cosine from which two questions count as nearly equal. With all-MiniLM-L6-v2 the cosine of
    /// paraphrases is about .8; so is that of questions about two facts of one subject, which should both stay.
    pub const DEFAULT_SIMILAR_COSINE: f64 = 0.9;

    /// The default number of nearest passages that a question out of context is checked against.
    pub const DEFAULT_NEAREST: usize = 5;

    /// Returns the options for this number of questions, with defaults for the rest.
    pub fn new(questions: usize, seed: Seed) -> Self {
        Self {
            questions,
            shares: CategoryShare::DEFAULT.to_vec(),
            per_document: None,
            similar: Self::DEFAULT_SIMILAR,
            seed,
        }
    }
}

/// An error of a synthesis.
#[derive(Debug, thiserror::Error)]
pub enum SynthesisError {
    /// The documents cannot be read.
    #[error(transparent)]
    Documents(#[from] DataError),
    /// The model cannot write.
    #[error(transparent)]
    Writer(#[from] WriterError),
    /// The prompt is wrong.
    #[error(transparent)]
    Prompt(#[from] PromptError),
    /// The error of its studies.
    #[error(transparent)]
    Study(Box<StudyError>),
    /// A problem with its place and its remedy, as text.
    #[error("{0}")]
    Problem(String),
}

impl From<StudyError> for SynthesisError {
    fn from(error: StudyError) -> Self {
        Self::Study(Box::new(error))
    }
}
