//! The reasons why a student cannot judge.

use llull_judge::StudentError;
use llull_learner::FitGradesError;

/// Why a student cannot judge, or be trained.
#[derive(Debug, thiserror::Error)]
pub enum UnusableStudent {
    /// It is invalid, or made for another study.
    #[error("{student}: {source}")]
    Student {
        /// What it is called.
        student: String,
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
