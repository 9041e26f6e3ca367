//! What was read of a study's inputs, by its hash.

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
    /// What it is to the study: `topics`, `run bm25`.
    pub role: String,
    /// Its name, as the configuration gives it.
    pub name: String,
    /// The hash of its bytes.
    pub hash: Hash,
}

/// What was read so far of a study's inputs.
#[derive(Default)]
pub(super) struct Reading {
    pub(super) inputs: Vec<HashedInput>,
    pub(super) notes: Vec<Note>,
    /// How long systems took and what they cost, by their names, as far as it is known.
    pub(super) retrieval: BTreeMap<String, RetrievalFigures>,
    /// The systems whose kept results were retrieved otherwise than the study says now.
    pub(super) outdated: Vec<String>,
}

impl Reading {
    /// Remarks on a part of the study.
    pub(super) fn remark(&mut self, part: impl Fn() -> Part, texts: impl IntoIterator<Item = String>) {
        self.notes.extend(texts.into_iter().map(|text| Note::new(part(), text)));
    }

    /// Remembers a file by its hash.
    pub(super) fn hashed(
        &mut self,
        role: &str,
        name: impl std::fmt::Display,
        file: &Path,
    ) -> Result<(), StudyError> {
        self.inputs.push(HashedInput { role: role.into(), name: name.to_string(), hash: hash_file(file)? });
        Ok(())
    }

    /// Remembers a file of the configuration by its hash; nothing for a value in memory.
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
