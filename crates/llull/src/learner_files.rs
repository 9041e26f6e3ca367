//! Learners in files.

use std::path::Path;

use llull_data::shown_path;
use llull_learner::SavedLearner;

use crate::training_error::TrainingError;

/// Reads a saved learner.
///
/// # Errors
/// Returns an error if the file cannot be read, or is none.
pub fn read_learner(path: &Path) -> Result<SavedLearner, TrainingError> {
    let file = || shown_path(path);
    let text = llull_data::read_text(path)?;
    SavedLearner::from_json(&text).map_err(|source| TrainingError::Saved { file: file(), source })
}
