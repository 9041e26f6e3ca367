//! What can be wrong with what is learnt from.

use llull_data::DataError;
use llull_learner::{SavedError, TableError, TrainError};

/// Why nothing is learnt, or nothing applied.
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
        /// Why.
        source: TableError,
    },
    /// Nothing can be learnt of it.
    #[error("{file}: {source}")]
    Train {
        /// The file.
        file: String,
        /// Why.
        source: TrainError,
    },
    /// A learner cannot be read, or not be applied.
    #[error("{file}: {source}")]
    Saved {
        /// The file of the learner, or of the table that it was to be applied to.
        file: String,
        /// Why.
        source: SavedError,
    },
    /// The costs of a feature are given, or it is left out, and it is not there.
    #[error("{file}: no feature {feature:?}, which --calls or --ignore names")]
    NoFeature {
        /// The file.
        file: String,
        /// The name.
        feature: String,
    },
    /// No learner of this name is kept.
    #[error(
        "this study keeps no {name:?}: there is no {file}. llull train --target FILE --save {name} makes it"
    )]
    Missing {
        /// The name.
        name: String,
        /// The file that it would be in.
        file: String,
    },
    /// A name cannot be that of a learner that a study keeps.
    #[error("{0:?} is no name for a learner that is kept with a study: take letters, digits, - and _")]
    Name(String),
}
