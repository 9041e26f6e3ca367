//! Learners in files.

use std::path::Path;

use llull_data::{DataError, shown_path};
use llull_learner::SavedLearner;

use crate::training_error::TrainingError;

/// Reads a saved learner.
///
/// # Errors
/// Returns an error if the file cannot be read, or is none.
pub fn read_learner(path: &Path) -> Result<SavedLearner, TrainingError> {
    let file = || shown_path(path);
    let io = |source| DataError::Io { file: file(), action: "read", source };
    let text = std::io::read_to_string(llull_data::open(path)?).map_err(io)?;
    SavedLearner::from_json(&text).map_err(|source| TrainingError::Saved { file: file(), source })
}
