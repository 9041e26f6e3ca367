//! Saves the sample of a study next to its ledger.

use llull_config::{Folder, SavedFile, is_absent};
use llull_core::DrawnSample;
use llull_data::{Columns, read_sample, write_sample};
use llull_people::sampling::sample_id;

use crate::error::StudyError;

/// A sample that a study has drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct StudySample {
    /// Its name.
    pub id: String,
    /// The sample.
    pub sample: DrawnSample,
}

impl StudySample {
    /// Returns the number of its drawn pairs.
    pub fn drawn(&self) -> usize {
        self.sample.units.iter().filter(|unit| unit.drawn == Some(true)).count()
    }
}

/// The permanent file of a sample.
fn file_of<'a>(folder: &'a Folder, id: &str) -> SavedFile<'a> {
    SavedFile::new(folder, format!("samples/{id}.tsv"))
}

/// The sample whose labels correct the verdict. It is the queue, too: drawn pairs without a label are open.
fn current(folder: &Folder) -> SavedFile<'_> {
    SavedFile::new(folder, "sample.tsv")
}

/// Reads the study's sample; `None` if none was drawn.
///
/// # Errors
/// Returns an error if its file is behind a link, or broken.
pub(crate) fn kept(folder: &Folder) -> Result<Option<StudySample>, StudyError> {
    if folder.keeps() { read(&current(folder)) } else { Ok(None) }
}

/// Reads the sample of this name; `None` if the study has not drawn it.
///
/// # Errors
/// As [`kept`].
pub(crate) fn kept_as(folder: &Folder, id: &str) -> Result<Option<StudySample>, StudyError> {
    let is_name = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_name && folder.keeps() { read(&file_of(folder, id)) } else { Ok(None) }
}

fn read(saved: &SavedFile<'_>) -> Result<Option<StudySample>, StudyError> {
    let path = saved.path()?;
    match fs_err::metadata(&path) {
        Err(error) if is_absent(&error) => Ok(None),
        Err(error) => Err(error.into()),
        Ok(_) => {
            let sample = read_sample(&path, &Columns::default())?;
            Ok(Some(StudySample { id: sample_id(&sample)?, sample }))
        }
    }
}

/// Saves a sample as the study's. Earlier samples stay, under their names.
///
/// # Errors
/// Returns an error if the study is in memory, or a file cannot be written.
pub(crate) fn keep(folder: &Folder, sample: &DrawnSample) -> Result<StudySample, StudyError> {
    if !folder.keeps() {
        return Err(StudyError::InMemory("a sample cannot be saved in it"));
    }
    let id = sample_id(sample)?;
    let mut bytes = Vec::new();
    write_sample(sample, &mut bytes)?;
    for saved in [file_of(folder, &id), current(folder)] {
        saved.write(&bytes)?;
    }
    Ok(StudySample { id, sample: sample.clone() })
}
