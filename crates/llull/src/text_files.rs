//! Rubrics and prompt templates in files.

use std::path::Path;

use llull_data::read_text;
use llull_judge::{Prompt, Rubric};

use crate::StudyError;

/// Reads the rubric in a file.
///
/// # Errors
/// Returns an error if the file cannot be read, or is no rubric.
pub fn read_rubric(path: &Path) -> Result<Rubric, StudyError> {
    Ok(Rubric::parse(&read_text(path)?, &path.display().to_string())?)
}

/// Reads the prompt template in a file.
pub(crate) fn read_prompt(path: &Path) -> Result<Prompt, StudyError> {
    Ok(Prompt::parse(&read_text(path)?, &path.display().to_string())?)
}
