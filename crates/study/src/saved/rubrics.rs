//! Saves copies of rubrics, by their hashes.
//!
//! So answers under an old rubric can still be explained.

use std::path::{Path, PathBuf};

use llull_config::{Folder, SavedFile, Source};
use llull_core::Hash;
use llull_judge::Rubric;

use crate::error::StudyError;
use crate::study_config::StudyConfig;

/// The folder of the copies, next to the ledger.
const KEPT: &str = "rubrics";

fn copy(folder: &Folder, hash: Hash) -> SavedFile<'_> {
    SavedFile::copy(folder, KEPT, hash)
}

/// Saves a copy of the study's rubric. For a rubric in memory, or in a read-only folder, it does nothing.
///
/// # Errors
/// Returns an error if the rubric cannot be read, or the copy cannot be written.
pub(crate) fn save_rubric(config: StudyConfig<'_>) -> Result<(), StudyError> {
    let text = match &config.settings.rubric {
        Some(Source::File(path)) => llull_data::read_text(config.folder.existing(path, "rubric")?)?,
        Some(Source::Memory(_)) => return Ok(()),
        None => Rubric::default_text().to_owned(),
    };
    Ok(copy(config.folder, Rubric::parse(&text, "rubric")?.hash).save_copy(&text)?)
}

/// Whether there is a copy of this rubric.
pub(crate) fn is_saved(folder: &Folder, hash: Hash) -> bool {
    copy(folder, hash).existing().is_some()
}

/// Returns the copy of the rubric whose hash begins with `prefix`, relative to the study's folder.
///
/// # Errors
/// Returns an error if there is no such copy or several, or its hash differs from its name.
pub(crate) fn saved_rubric(folder: &Folder, prefix: &str) -> Result<PathBuf, StudyError> {
    let dir = folder.private_dir().join(KEPT);
    let mut known: Vec<String> = match fs_err::read_dir(&dir) {
        Ok(entries) => entries
            .filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.strip_suffix(".md")?.to_owned()))
            .collect(),
        Err(_) => Vec::new(),
    };
    known.sort();
    let found: Vec<&String> = known.iter().filter(|hash| hash.starts_with(prefix)).collect();
    let [hash] = found.as_slice() else {
        let known = match known.as_slice() {
            [] => "no rubric was saved yet; llull run saves those that judges are given".to_owned(),
            known => {
                format!("it has to begin the hash of one rubric; those that were saved: {}", known.join(", "))
            }
        };
        return Err(StudyError::Problem(format!("--rubric-hash {prefix}: {known}")));
    };
    let copy = SavedFile::new(folder, format!("{KEPT}/{hash}.md"));
    let path = copy.path()?;
    match read_rubric(&path)?.hash.to_string() == **hash {
        true => Ok(copy.relative(path)),
        false => Err(StudyError::Problem(format!(
            "{}: it is not the rubric that judges were given: its hash is another. Delete it",
            path.display()
        ))),
    }
}

/// Returns the rubric with this hash: the study's own, llull's own, or a copy. `None` if none has it.
pub(crate) fn find_rubric(config: StudyConfig<'_>, hash: Hash) -> Option<Rubric> {
    let copy = || read_rubric(&copy(config.folder, hash).existing()?).ok();
    let builtin = || Rubric::parse(Rubric::default_text(), "rubric").ok();
    let is_it = |rubric: &Rubric| rubric.hash == hash;
    let own = rubric(config).ok().filter(is_it);
    own.or_else(|| copy().filter(is_it)).or_else(|| builtin().filter(is_it))
}

/// Returns the rubric: the study's, or the built-in one.
pub(crate) fn rubric(config: StudyConfig<'_>) -> Result<Rubric, StudyError> {
    match &config.settings.rubric {
        Some(Source::File(path)) => read_rubric(&config.folder.existing(path, "rubric")?),
        Some(Source::Memory(rubric)) => Ok(Rubric::clone(rubric)),
        None => Ok(Rubric::parse(Rubric::default_text(), "the built-in rubric")?),
    }
}

/// Reads the rubric in a file.
///
/// # Errors
/// Returns an error if the file cannot be read, or is no rubric.
pub fn read_rubric(path: &Path) -> Result<Rubric, StudyError> {
    Ok(Rubric::parse(&llull_data::read_text(path)?, &path.display().to_string())?)
}
