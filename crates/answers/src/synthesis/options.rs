//! What is asked for, and what can be wrong with it.

use llull_core::Seed;
use llull_data::DataError;
use llull_judge::{PromptError, QuestionCategory};
use llull_study::StudyError;

use super::shares::CategoryShare;
use crate::generation::WriterError;

/// What questions are wanted.
#[derive(Debug, Clone, PartialEq)]
pub struct SynthesisOptions {
    /// How many.
    pub questions: usize,
    /// Which part of them is of which category.
    pub shares: Vec<CategoryShare>,
    /// The most of one document.
    pub per_document: Option<usize>,
    /// How many of the different words of two questions may be shared, from 0 to 1, before one of them is dropped.
    pub similar: f64,
    /// The seed by which passages are drawn.
    pub seed: Seed,
}

impl SynthesisOptions {
    /// The share of words from which two questions are the same, where nothing else is said.
    pub const DEFAULT_SIMILAR: f64 = 0.8;

    /// The cosine from which on two questions mean nearly the same, where nothing else is said. Paraphrases are about
    /// .8 with all-MiniLM-L6-v2; so are questions about two facts of one subject, which are to stay apart.
    pub const DEFAULT_SIMILAR_COSINE: f64 = 0.9;

    /// How many of the nearest passages a question out of context is checked against, where nothing else is said.
    pub const DEFAULT_NEAREST: usize = 5;

    /// Returns the options for so many questions, with everything else by default.
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

/// Why no questions can be written.
#[derive(Debug, thiserror::Error)]
pub enum SynthesisError {
    /// The documents cannot be read.
    #[error(transparent)]
    Documents(#[from] DataError),
    /// There is nothing to write about.
    #[error("no document has a letter or a digit in it, so there is nothing to write questions about")]
    NoPassage,
    /// A category has two shares.
    #[error("the category {0} is given twice; give each once")]
    CategoryTwice(QuestionCategory),
    /// A share is none.
    #[error("the share of {category} is {share}; a share is above 0")]
    Share {
        /// The category.
        category: QuestionCategory,
        /// Its share.
        share: f64,
    },
    /// The model cannot be asked to write.
    #[error(transparent)]
    Writer(#[from] WriterError),
    /// The prompt is wrong.
    #[error(transparent)]
    Prompt(#[from] PromptError),
    /// What is said of its studies.
    #[error(transparent)]
    Study(Box<StudyError>),
}

impl From<StudyError> for SynthesisError {
    fn from(error: StudyError) -> Self {
        Self::Study(Box::new(error))
    }
}
