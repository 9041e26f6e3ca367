//! Errors of training on tables, and of saved learners.

use llull_data::DataError;
use llull_learner::{SavedError, TableError, TrainError};

/// An error of training or applying a learner.
#[derive(Debug, thiserror::Error)]
pub enum TrainingError {
    /// A file cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Its columns are no table.
    #[error("{file}: {source}")]
    Table {
        /// The file.
        file: String,
        /// The error of the columns.
        source: TableError,
    },
    /// The table does not suffice to train on.
    #[error("{file}: {source}")]
    Train {
        /// The file.
        file: String,
        /// The error of training.
        source: TrainError,
    },
    /// A learner cannot be read or applied.
    #[error("{file}: {source}")]
    Saved {
        /// The file of the learner, or of the table that it should be applied to.
        file: String,
        /// The error.
        source: SavedError,
    },
    /// An option names a feature that the table lacks, for its costs or to leave it out.
    #[error("{file}: no feature {feature:?}, which --calls or --ignore names")]
    NoFeature {
        /// The file.
        file: String,
        /// The name.
        feature: String,
    },
    /// A problem with its place and its remedy, as text.
    #[error("{0}")]
    Problem(String),
}
