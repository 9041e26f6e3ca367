//! Errors of a student's file.

use llull_data::DataError;
use llull_judge::StudentError;
use llull_learner::FitGradesError;

/// An error of a student's file.
#[derive(Debug, thiserror::Error)]
pub enum StudentFileError {
    /// Its file cannot be read or written.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Its file holds no student, or none for this study.
    #[error("{file}: {source}")]
    Student {
        /// The file.
        file: String,
        /// The error.
        source: StudentError,
    },
    /// The training labels are too few.
    #[error("labels of {labels}: {source}")]
    Labels {
        /// The source of the labels.
        labels: String,
        /// The error.
        source: FitGradesError,
    },
    /// A problem with its place and its remedy, as text.
    #[error("{0}")]
    Problem(String),
}
