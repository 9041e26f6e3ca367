//! Everything that comes before judging.

use std::num::NonZeroUsize;
use std::sync::Arc;

use llull_candidates::Pool;
use llull_core::{Hash, Qrels, Run, Topics};
use llull_judge::Rubric;

use super::file_hash::hash_file;
use super::remarks::{beyond_the_pool, no_relevant_grade};
use super::runs::runs;
use crate::config::{FILE_NAME, Settings, Source};
use crate::error::StudyError;
use crate::files::read_labels;
use crate::folder::Folder;

/// A file that the study reads, and the hash of its bytes.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct HashedInput {
    /// What it is to the study: `topics`, `run bm25`.
    pub role: String,
    /// Its name, as the configuration gives it.
    pub name: String,
    /// The hash of its bytes.
    pub hash: Hash,
}

/// Everything that comes before judging.
#[derive(Debug, Clone)]
pub struct Inputs {
    /// What relevant means.
    pub rubric: Rubric,
    /// What is asked.
    pub topics: Topics,
    /// Every system's results, in the order of the configuration.
    pub runs: Vec<Run>,
    /// What is to be judged.
    pub pool: Pool,
    /// Labels made elsewhere, to compare with.
    pub reference: Option<Qrels>,
    /// What was read.
    pub inputs: Vec<HashedInput>,
    /// Remarks that the user should see.
    pub notes: Vec<String>,
}

/// What was read so far of a study's inputs.
#[derive(Default)]
pub(super) struct Reading {
    pub(super) inputs: Vec<HashedInput>,
    pub(super) notes: Vec<String>,
}

impl Reading {
    /// Remembers a file by its hash.
    pub(super) fn hashed(
        &mut self,
        role: &str,
        name: impl std::fmt::Display,
        file: &std::path::Path,
    ) -> Result<(), StudyError> {
        self.inputs.push(HashedInput { role: role.into(), name: name.to_string(), hash: hash_file(file)? });
        Ok(())
    }

    /// Remembers a file of the configuration by its hash; nothing for a value in memory.
    fn source<T>(&mut self, role: &str, source: &Source<T>, folder: &Folder) -> Result<(), StudyError> {
        match source.path() {
            Some(path) => self.hashed(role, path.display(), &folder.existing(path, role)?),
            None => Ok(()),
        }
    }
}

/// Reads rubric, topics and runs, asks the study's own retrievers, and pools.
///
/// # Errors
/// Returns an error that names file, line and remedy if a file is missing or not what it should be.
pub(crate) fn read_inputs(
    settings: &Settings,
    folder: &Folder,
    config_hash: Option<Hash>,
) -> Result<Inputs, StudyError> {
    let rubric = rubric(settings, folder)?;
    let topics = topics(settings, folder)?;
    let mut reading = Reading { inputs: Vec::new(), notes: rubric.notes() };
    reading.notes.extend(settings.notes.iter().cloned());
    if let Some(hash) = config_hash {
        reading.inputs.push(HashedInput { role: "configuration".into(), name: FILE_NAME.into(), hash });
    }
    reading.source("topics", &settings.topics, folder)?;
    if let Some(rubric) = &settings.rubric {
        reading.source("rubric", rubric, folder)?;
    }
    // Read before anything is paid for, although it is needed last.
    let reference = match &settings.reference {
        Some(source) => {
            reading.source("reference", source, folder)?;
            Some(labels(source, folder, &mut reading.notes)?)
        }
        None => None,
    };
    reading.notes.extend(beyond_the_pool(settings));
    reading.notes.extend(no_relevant_grade(settings, &rubric));
    let runs = runs(settings, folder, &topics, &mut reading)?;
    let depth = NonZeroUsize::new(settings.pool_depth).unwrap_or(NonZeroUsize::MIN);
    let pool = Pool::of(&runs, depth, Some(&topics))?;
    let Reading { inputs, notes } = reading;
    Ok(Inputs { rubric, topics, runs, pool, reference, inputs, notes })
}

/// Returns the rubric: the study's, or the built-in one.
pub(crate) fn rubric(settings: &Settings, folder: &Folder) -> Result<Rubric, StudyError> {
    match &settings.rubric {
        Some(Source::File(path)) => Ok(Rubric::load(&folder.existing(path, "rubric")?)?),
        Some(Source::Memory(rubric)) => Ok(Rubric::clone(rubric)),
        None => Ok(Rubric::parse(Rubric::default_text(), "the built-in rubric")?),
    }
}

/// Returns the topics.
pub(crate) fn topics(settings: &Settings, folder: &Folder) -> Result<Topics, StudyError> {
    let (topics, name) = match &settings.topics {
        Source::File(path) => {
            let path = folder.existing(path, "topics")?;
            (llull_data::read_topics(&path)?, path.display().to_string())
        }
        Source::Memory(topics) => (Topics::clone(topics), "topics".to_owned()),
    };
    if topics.is_empty() {
        return Err(StudyError::NoQueries(name));
    }
    Ok(topics)
}

fn labels(source: &Source<Qrels>, folder: &Folder, notes: &mut Vec<String>) -> Result<Qrels, StudyError> {
    match source {
        Source::File(path) => {
            let read = read_labels(&folder.path(path))?;
            notes.extend(read.notes);
            Ok(read.value)
        }
        Source::Memory(labels) => Ok(Qrels::clone(&Arc::clone(labels))),
    }
}
