//! Saves and reads learners, in files and in studies.

use std::path::{Path, PathBuf};

use llull_config::{Folder, json_of};
use llull_data::shown_path;
use llull_files::training::TrainingError;
use llull_learner::SavedLearner;

use crate::error::StudyError;

/// The folder of the learners, next to the ledger.
const KEPT: &str = "learners";

/// The file of a learner, relative to the folder of llull's own files.
fn file(name: &str) -> Result<PathBuf, TrainingError> {
    json_of(KEPT, name).ok_or_else(|| {
        TrainingError::Problem(format!(
            "{name:?} is no name for a learner that is kept with a study: take letters, digits, - and _"
        ))
    })
}

/// Saves a learner with the study in a folder, instead of the one of that name. Returns its file.
///
/// # Errors
/// Returns an error if the name is no plain word, a number of the learner is not finite, or it cannot be written.
pub fn save_learner(folder: &Folder, name: &str, learner: &SavedLearner) -> Result<PathBuf, StudyError> {
    let relative = file(name)?;
    let path = folder.private_file(&relative)?;
    let wrong = |source| TrainingError::Saved { file: path.display().to_string(), source };
    let text = learner.to_json().map_err(wrong)? + "\n";
    Ok(folder.write_private(&relative, text.as_bytes())?)
}

/// Reads a learner that is saved with the study in a folder.
///
/// # Errors
/// Returns an error if the name is no plain word, there is no such learner, or its file is invalid.
pub fn saved_learner(folder: &Folder, name: &str) -> Result<SavedLearner, StudyError> {
    let path = folder.private_file(file(name)?)?;
    if !path.is_file() {
        let file = path.display().to_string();
        return Err(TrainingError::Problem(format!(
            "this study keeps no {name:?}: there is no {file}. llull train --target FILE --save {name} makes it"
        ))
        .into());
    }
    Ok(read_learner(&path)?)
}

/// Reads a saved learner.
///
/// # Errors
/// Returns an error if the file cannot be read, or is no learner.
pub fn read_learner(path: &Path) -> Result<SavedLearner, TrainingError> {
    let file = || shown_path(path);
    let text = llull_data::read_text(path)?;
    SavedLearner::from_json(&text).map_err(|source| TrainingError::Saved { file: file(), source })
}
