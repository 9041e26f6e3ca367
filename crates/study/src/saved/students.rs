//! The files of students: small models that a study saves.

use std::path::PathBuf;

use indexmap::IndexMap;
use llull_config::{Folder, JudgeKind, Settings, json_of};
use llull_judge::{Student, StudentLessons};

use crate::saved::student_error::StudentFileError;

/// The folder of the students, next to the ledger.
const KEPT: &str = "students";

/// The file of a student, relative to the folder of llull's own files.
fn file(name: &str) -> Result<PathBuf, StudentFileError> {
    json_of(KEPT, name).ok_or_else(|| {
        StudentFileError::Problem(format!("{name:?} is no name for a student: take letters, digits, - and _"))
    })
}

/// Saves a student instead of the one of that name. Returns its file.
///
/// # Errors
/// Returns an error if the name is no plain word, or it cannot be written.
pub(crate) fn save_student(
    folder: &Folder,
    name: &str,
    student: &Student,
) -> Result<PathBuf, StudentFileError> {
    let relative = file(name)?;
    let path = folder.private_file(&relative)?;
    let wrong = |source| StudentFileError::Student { file: path.display().to_string(), source };
    let text = student.to_json().map_err(wrong)? + "\n";
    Ok(folder.write_private(&relative, text.as_bytes())?)
}

/// Reads a student that is saved with the study in a folder.
///
/// # Errors
/// Returns an error if there is no student of that name, or its file is invalid.
pub(crate) fn saved_student(folder: &Folder, name: &str) -> Result<Student, StudentFileError> {
    let path = folder.private_file(file(name)?)?;
    if !path.is_file() {
        return Err(StudentFileError::Problem(format!(
            "the study keeps no student {name:?} ({file}): train it first, llull train --student {name}",
            file = path.display()
        )));
    }
    let text = llull_data::read_text(&path)?;
    let wrong = |source| StudentFileError::Student { file: path.display().to_string(), source };
    Student::from_json(&text).map_err(wrong)
}

/// Returns the training labels of the students among a study's judges. An unreadable student is left out: it is an
/// error when its judge is made.
pub(crate) fn student_lessons(settings: &Settings, folder: &Folder) -> IndexMap<String, StudentLessons> {
    let judges = settings.judges.iter().chain(&settings.graders);
    judges
        .filter_map(|judge| match &judge.kind {
            JudgeKind::Student { name } => Some((name.clone(), saved_student(folder, name).ok()?.lessons)),
            _ => None,
        })
        .collect()
}
