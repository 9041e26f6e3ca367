//! Records a study's input files by their hashes.

use std::collections::BTreeMap;
use std::path::Path;

use llull_config::{Folder, Source, hash_file};
use llull_core::Hash;
use llull_report::RetrievalFigures;

use crate::error::StudyError;
use crate::part::{Note, Part};

/// A file that the study reads, and the hash of its bytes.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct HashedInput {
    /// Its role in the study: `topics`, `run bm25`.
    pub role: String,
    /// Its name in the configuration.
    pub name: String,
    /// The hash of its bytes.
    pub hash: Hash,
}

/// The study's inputs that were read so far.
#[derive(Default)]
pub(super) struct Reading {
    pub(super) inputs: Vec<HashedInput>,
    pub(super) notes: Vec<Note>,
    /// Times and costs of systems, by their names, as far as they are known.
    pub(super) retrieval: BTreeMap<String, RetrievalFigures>,
    /// The systems whose saved results are of other settings than the study's present ones.
    pub(super) outdated: Vec<String>,
}

impl Reading {
    /// Adds notes about a part of the study.
    pub(super) fn remark(&mut self, part: impl Fn() -> Part, texts: impl IntoIterator<Item = String>) {
        self.notes.extend(texts.into_iter().map(|text| Note::new(part(), text)));
    }

    /// Records a file by its hash.
    pub(super) fn hashed(
        &mut self,
        role: &str,
        name: impl std::fmt::Display,
        file: &Path,
    ) -> Result<(), StudyError> {
        self.inputs.push(HashedInput { role: role.into(), name: name.to_string(), hash: hash_file(file)? });
        Ok(())
    }

    /// Records a file of the configuration by its hash; nothing for a value in memory.
    pub(super) fn source<T>(
        &mut self,
        role: &str,
        source: &Source<T>,
        folder: &Folder,
    ) -> Result<(), StudyError> {
        match source.path() {
            Some(path) => self.hashed(role, path.display(), &folder.existing(path, role)?),
            None => Ok(()),
        }
    }
}
