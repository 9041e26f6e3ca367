//! Checks the files of `llull init` before anything is written.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use llull_config::{ConfigError, FILE_NAME, Overrides, Settings, StudyFile};
use llull_core::Topics;
use llull_data::{
    CorpusFields, ReadQrelsOptions, ReadRunOptions, TableNotes, read_qrels_with, read_result_texts, read_run,
    read_topics_file, shown_path, stream_corpus,
};

use llull_files::FileError;

use super::scaffold::Scaffold;
use crate::error::StudyError;
use crate::study::scaffold_error::ScaffoldError;

/// A file of a new study.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GivenFile {
    /// The queries.
    Topics(PathBuf),
    /// The documents.
    Corpus(PathBuf),
    /// A system's results.
    Run {
        /// The system.
        name: String,
        /// Its results.
        file: PathBuf,
    },
    /// The labels of a replay judge.
    Labels(PathBuf),
}

/// The files of a new study, read to their ends.
#[derive(Debug, Clone, Default)]
pub struct CheckedFiles {
    /// How each table was read, in a line each.
    pub columns: Vec<String>,
    /// Whether results hold texts of documents.
    pub has_texts: bool,
    topics: Option<Arc<Topics>>,
    /// Whether the queries are in no file yet.
    is_derived: bool,
    /// All columns and fields of tables.
    fields: Vec<String>,
}

impl GivenFile {
    fn path(&self) -> &Path {
        match self {
            Self::Topics(path) | Self::Corpus(path) | Self::Labels(path) => path,
            Self::Run { file, .. } => file,
        }
    }

    /// Reads the whole file, so that an error in its last line is found, too.
    fn check(&self, scaffold: &Scaffold, checked: &mut CheckedFiles) -> Result<(), StudyError> {
        let path = self.path();
        if !path.exists() {
            return Err(StudyError::Scaffold(ScaffoldError::NotGiven(shown_path(path))));
        }
        let columns = scaffold.columns.clone();
        let table: TableNotes = match self {
            Self::Topics(_) => {
                let read = read_topics_file(path, &columns)?;
                checked.topics = Some(Arc::new(read.topics));
                read.table
            }
            Self::Corpus(_) => {
                let fields = CorpusFields { columns, ..CorpusFields::default() };
                stream_corpus(path, &fields, |_, _| Ok(()))?.table
            }
            Self::Run { name, .. } => {
                let options = ReadRunOptions {
                    name: Some(name.clone()),
                    columns,
                    queries: checked.topics.clone(),
                    ..ReadRunOptions::default()
                };
                let table = read_run(path, &options)?.notes.table;
                if checked.is_derived && table.replies > 0 {
                    return Err(StudyError::Scaffold(ScaffoldError::NoOrder(shown_path(path))));
                }
                read_result_texts(path, &scaffold.columns, |_| checked.has_texts = true)?;
                table
            }
            Self::Labels(_) => {
                let read =
                    read_qrels_with(path, &ReadQrelsOptions { columns, ..ReadQrelsOptions::default() })?;
                if read.qrels.pairs() == 0 {
                    return Err(FileError::NoLabels(shown_path(path)).into());
                }
                read.notes.table
            }
        };
        checked.fields.extend(table.fields.iter().cloned());
        let line = table.line(&shown_path(path)).filter(|line| !checked.columns.contains(line));
        checked.columns.extend(line);
        Ok(())
    }
}

impl Scaffold {
    /// Checks a new study before it is written.
    ///
    /// The folder must have no study yet, the systems need different names, the judge must be valid, and these files
    /// must be readable to their ends; queries come before results, which may name them by text or place.
    ///
    /// # Errors
    /// Returns the first error, with file and line.
    pub fn check(&self, dir: &Path, files: &[GivenFile]) -> Result<CheckedFiles, StudyError> {
        self.check_with(dir, files, None)
    }

    /// Does the same with queries that are in no file yet.
    ///
    /// # Errors
    /// Returns the errors of [`check`](Self::check).
    pub fn check_with(
        &self,
        dir: &Path,
        files: &[GivenFile],
        topics: Option<Topics>,
    ) -> Result<CheckedFiles, StudyError> {
        let config = dir.join(FILE_NAME);
        if config.exists() {
            return Err(StudyError::Scaffold(ScaffoldError::Occupied(config)));
        }
        for (place, (name, run)) in self.runs.iter().enumerate() {
            if let Some((_, other)) = self.runs.iter().take(place).find(|(other, _)| other == name) {
                let (name, one, other) = (name.clone(), other.clone(), run.clone());
                return Err(StudyError::Scaffold(ScaffoldError::TwoSystems { name, one, other }));
            }
        }
        let text = self.config();
        let file = StudyFile::parse(&text, &config)?;
        match Settings::resolve(file, &text, &config, &Overrides::default()) {
            // A file that is not written yet has no line.
            Err(ConfigError::Value { message, .. }) => return Err(ConfigError::Override(message).into()),
            resolved => drop(resolved?),
        }
        let queries = dir.join(&self.topics);
        if topics.is_some() && queries.symlink_metadata().is_ok() {
            return Err(StudyError::Scaffold(ScaffoldError::Occupied(queries)));
        }
        let mut checked = CheckedFiles {
            is_derived: topics.is_some(),
            topics: topics.map(Arc::new),
            ..CheckedFiles::default()
        };
        files.iter().try_for_each(|file| file.check(self, &mut checked))?;
        let named = self.columns.iter().flat_map(|(_, fields)| fields);
        match named.into_iter().find(|field| !checked.fields.contains(field)) {
            Some(field) => Err(StudyError::Scaffold(ScaffoldError::NoColumn(field.clone()))),
            None => Ok(checked),
        }
    }
}
