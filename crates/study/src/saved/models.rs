//! Models that a study saves by their names: learners and students.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use llull_config::{Folder, JudgeKind, SavedFile};
use llull_data::shown_path;
use llull_files::training::TrainingError;
use llull_judge::{Student, StudentError, StudentLessons};
use llull_learner::{SavedError, SavedLearner};

use crate::error::StudyError;
use crate::study_config::StudyConfig;

/// A model with a file of its own in the folder of its kind, next to the ledger.
trait Model: Sized {
    const FOLDER: &'static str;
    const NOUN: &'static str;
    type Error: Display;

    fn text(&self) -> Result<String, Self::Error>;
    fn parse(text: &str) -> Result<Self, Self::Error>;
    /// Returns what to do if the file does not exist.
    fn missing(name: &str, file: &str) -> String;
}

impl Model for SavedLearner {
    const FOLDER: &'static str = "learners";
    const NOUN: &'static str = "learner";
    type Error = SavedError;

    fn text(&self) -> Result<String, SavedError> {
        self.to_json()
    }

    fn parse(text: &str) -> Result<Self, SavedError> {
        Self::from_json(text)
    }

    fn missing(name: &str, file: &str) -> String {
        format!(
            "this study keeps no {name:?}: there is no {file}. llull train --target FILE --save {name} makes it"
        )
    }
}

impl Model for Student {
    const FOLDER: &'static str = "students";
    const NOUN: &'static str = "student";
    type Error = StudentError;

    fn text(&self) -> Result<String, StudentError> {
        self.to_json()
    }

    fn parse(text: &str) -> Result<Self, StudentError> {
        Self::from_json(text)
    }

    fn missing(name: &str, file: &str) -> String {
        format!("the study keeps no student {name:?} ({file}): train it first, llull train --student {name}")
    }
}

fn file<'a, M: Model>(folder: &'a Folder, name: &str) -> Result<SavedFile<'a>, StudyError> {
    SavedFile::named(folder, M::FOLDER, name).ok_or_else(|| {
        let noun = M::NOUN;
        StudyError::Problem(format!("{name:?} is no name for a {noun}: take letters, digits, - and _"))
    })
}

fn wrong(path: &Path, error: &dyn Display) -> StudyError {
    StudyError::Problem(format!("{}: {error}", path.display()))
}

fn save<M: Model>(folder: &Folder, name: &str, model: &M) -> Result<PathBuf, StudyError> {
    let file = file::<M>(folder, name)?;
    let path = file.path()?;
    let text = model.text().map_err(|error| wrong(&path, &error))? + "\n";
    Ok(file.write(text.as_bytes())?)
}

fn read<M: Model>(folder: &Folder, name: &str) -> Result<M, StudyError> {
    let path = file::<M>(folder, name)?.path()?;
    if !path.is_file() {
        return Err(StudyError::Problem(M::missing(name, &path.display().to_string())));
    }
    M::parse(&llull_data::read_text(&path)?).map_err(|error| wrong(&path, &error))
}

/// Saves a learner with the study in a folder, instead of the one of that name. Returns its file.
///
/// # Errors
/// Returns an error if the name is no plain word, a number of the learner is not finite, or it cannot be written.
pub fn save_learner(folder: &Folder, name: &str, learner: &SavedLearner) -> Result<PathBuf, StudyError> {
    save(folder, name, learner)
}

/// Reads a learner that is saved with the study in a folder.
///
/// # Errors
/// Returns an error if the name is no plain word, there is no such learner, or its file is invalid.
pub fn saved_learner(folder: &Folder, name: &str) -> Result<SavedLearner, StudyError> {
    read(folder, name)
}

/// Reads a saved learner.
///
/// # Errors
/// Returns an error if the file cannot be read, or is no learner.
pub fn read_learner(path: &Path) -> Result<SavedLearner, TrainingError> {
    let text = llull_data::read_text(path)?;
    SavedLearner::from_json(&text).map_err(|source| TrainingError::Saved { file: shown_path(path), source })
}

/// Saves a student instead of the one of that name. Returns its file.
///
/// # Errors
/// Returns an error if the name is no plain word, or it cannot be written.
pub(crate) fn save_student(folder: &Folder, name: &str, student: &Student) -> Result<PathBuf, StudyError> {
    save(folder, name, student)
}

/// Reads a student that is saved with the study in a folder.
///
/// # Errors
/// Returns an error if there is no student of that name, or its file is invalid.
pub(crate) fn saved_student(folder: &Folder, name: &str) -> Result<Student, StudyError> {
    read(folder, name)
}

/// Returns the training labels of the students among a study's judges. An unreadable student is left out: it is an
/// error when its judge is made.
pub(crate) fn student_lessons(config: StudyConfig<'_>) -> IndexMap<String, StudentLessons> {
    let judges = config.settings.judges.iter().chain(&config.settings.graders);
    judges
        .filter_map(|judge| match &judge.kind {
            JudgeKind::Student { name } => {
                Some((name.clone(), saved_student(config.folder, name).ok()?.lessons))
            }
            _ => None,
        })
        .collect()
}
