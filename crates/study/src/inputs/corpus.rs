//! The searched documents: a streamed file, or documents in memory.

use std::path::PathBuf;
use std::sync::Arc;

use llull_config::Source;
use llull_core::Document;
use llull_data::{CorpusFields, DataError, Documents, RowPlace, read_documents, stream_corpus};

use crate::error::StudyError;
use crate::inputs::error::InputError;
use crate::study_config::StudyConfig;

/// The searched documents.
#[derive(Debug, Clone)]
pub enum Corpus {
    /// A file, and its fields.
    File(PathBuf, CorpusFields),
    /// Documents in memory.
    Memory(Arc<Vec<Document>>),
}

impl Corpus {
    /// Returns the study's corpus.
    ///
    /// # Errors
    /// Returns an error if the configuration names none, or its file is not there.
    pub(crate) fn of(StudyConfig { settings, folder }: StudyConfig<'_>) -> Result<Self, StudyError> {
        match &settings.corpus {
            Some(Source::File(path)) => {
                Ok(Self::File(folder.existing(path, "corpus")?, settings.corpus_fields.clone()))
            }
            Some(Source::Memory(documents)) => Ok(Self::Memory(Arc::clone(documents))),
            None => Err(StudyError::Inputs(InputError::NoCorpus(folder.config().display().to_string()))),
        }
    }

    /// Returns its name in messages.
    pub fn name(&self) -> String {
        match self {
            Self::File(path, _) => path.display().to_string(),
            Self::Memory(_) => "the corpus".to_owned(),
        }
    }

    /// Returns the same documents with one field as their text; documents in memory have `title` and `text`.
    pub fn of_field(self, field: &str) -> Self {
        let only = |document: &Document| {
            let text = match field {
                "title" => document.title.clone(),
                "text" => document.text.clone(),
                _ => String::new(),
            };
            Document { id: document.id.clone(), title: String::new(), text }
        };
        match self {
            Self::File(path, fields) => {
                let (title, text) = (Some(field.to_owned()), vec![field.to_owned()]);
                Self::File(path, CorpusFields { title, text, ignore: Vec::new(), ..fields })
            }
            Self::Memory(documents) => Self::Memory(Arc::new(documents.iter().map(only).collect())),
        }
    }

    /// Reads the wanted documents, in one pass. `observe` gets every document.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn find(
        &self,
        wanted: impl Fn(&str) -> bool,
        observe: &mut dyn FnMut(&Document),
    ) -> Result<Documents, StudyError> {
        let documents = match self {
            Self::File(path, fields) => return Ok(read_documents(path, fields, wanted, observe)?),
            Self::Memory(documents) => documents,
        };
        let mut found = Documents::default();
        for (document, row) in documents.iter().zip(1..) {
            observe(document);
            if wanted(&document.id) && found.found.insert(document.id.clone(), document.clone()).is_none() {
                found.places.push(RowPlace::Row(row));
            }
        }
        Ok(found)
    }

    /// Calls `each` with every document until it fails.
    ///
    /// # Errors
    /// Returns the first error of `each`, or an error if the file cannot be read.
    pub fn for_each(
        &self,
        mut each: impl FnMut(&Document) -> Result<(), StudyError>,
    ) -> Result<(), StudyError> {
        match self {
            Self::File(path, fields) => {
                let mut failed = None;
                let mut stopped = |document: &Document| -> Result<(), DataError> {
                    if failed.is_none() {
                        failed = each(document).err();
                    }
                    Ok(())
                };
                stream_corpus(path, fields, |document, _| stopped(document))?;
                failed.map_or(Ok(()), Err)
            }
            Self::Memory(documents) => documents.iter().try_for_each(each),
        }
    }
}
