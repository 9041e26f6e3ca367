//! Checks the files of `llull init` before anything is written.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use llull_config::{ConfigError, FILE_NAME, Overrides, Settings, StudyFile};
use llull_core::Topics;
use llull_data::{
    Columns, CorpusFields, OptionForm, ReadQrelsOptions, ReadRunOptions, RunOrder, TableNotes, ThirdColumn,
    read_qrels_with, read_result_texts, read_run, read_topics_file, shown_path, stream_corpus,
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
        /// What orders the documents of six columns.
        order: RunOrder,
        /// What the third of three columns is.
        third: Option<ThirdColumn>,
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
}

impl CheckedFiles {
    /// Begins with queries that are in no file yet.
    pub fn of_queries(topics: Topics) -> Self {
        Self { is_derived: true, topics: Some(Arc::new(topics)), ..Self::default() }
    }

    /// Reads the whole file, so that an error in its last line is found, too. Queries come before results, which may
    /// name them by text or place.
    ///
    /// # Errors
    /// Returns an error, with file and line, if there is no such file or it cannot be read to its end.
    pub fn check(&mut self, file: &GivenFile, columns: &Columns) -> Result<(), StudyError> {
        let path = file.path();
        if !path.exists() {
            return Err(StudyError::Scaffold(ScaffoldError::Problem(format!(
                "{}: there is no such file; nothing was written. Correct the path, or leave it out and edit \
                 llull.toml",
                shown_path(path)
            ))));
        }
        let columns = columns.clone();
        let table: TableNotes = match file {
            GivenFile::Topics(_) => {
                let read = read_topics_file(path, &columns)?;
                self.topics = Some(Arc::new(read.topics));
                read.table
            }
            GivenFile::Corpus(_) => {
                let fields = CorpusFields { columns, ..CorpusFields::default() };
                let notes = stream_corpus(path, &fields, |_, _| Ok(()))?;
                self.columns.extend(notes.folder.map(|folder| format!("{}: {folder}", shown_path(path))));
                notes.table
            }
            GivenFile::Run { name, order, third, .. } => {
                let options = ReadRunOptions {
                    name: Some(name.clone()),
                    order: *order,
                    third: *third,
                    columns: columns.clone(),
                    queries: self.topics.clone(),
                    ..ReadRunOptions::default()
                };
                let table = read_run(path, &options)?.notes.table;
                if self.is_derived && table.replies > 0 {
                    return Err(StudyError::Scaffold(ScaffoldError::Problem(format!(
                        "{}: its replies name no query, so they are in the order of the queries, which only a file of \
                         them can give: --topics FILE; nothing was written",
                        shown_path(path)
                    ))));
                }
                read_result_texts(path, &columns, |_| self.has_texts = true)?;
                table
            }
            GivenFile::Labels(_) => {
                let form = OptionForm::Key;
                let options = ReadQrelsOptions { columns, form, ..ReadQrelsOptions::default() };
                let read = read_qrels_with(path, &options)?;
                if read.qrels.pairs() == 0 {
                    return Err(FileError::NoLabels(shown_path(path)).into());
                }
                read.notes.table
            }
        };
        self.fields.extend(table.fields.iter().cloned());
        let line = table.line(&shown_path(path)).filter(|line| !self.columns.contains(line));
        self.columns.extend(line);
        Ok(())
    }
}

impl Scaffold {
    /// Checks a new study before it is written: the folder must have no study yet, the systems need different names,
    /// and the settings must be valid.
    ///
    /// # Errors
    /// Returns the first error.
    pub fn check(&self, dir: &Path) -> Result<(), StudyError> {
        let config = dir.join(FILE_NAME);
        if config.exists() {
            return Err(StudyError::Scaffold(ScaffoldError::Occupied(config)));
        }
        for (place, (name, run)) in self.runs.iter().enumerate() {
            if let Some((_, other)) = self.runs.iter().take(place).find(|(other, _)| other == name) {
                let (name, one, other) = (name.clone(), other.clone(), run.clone());
                return Err(StudyError::Scaffold(ScaffoldError::Problem(format!(
                    "two systems are called {name:?}: {one} and {other}; nothing was written. Name them apart, as in \
                     --run {name}-2={other}"
                ))));
            }
        }
        let text = self.config();
        let file = StudyFile::parse(&text, &config)?;
        match Settings::resolve(file, &text, &config, &Overrides::default()) {
            // A file that is not written yet has no line.
            Err(ConfigError::Value { message, .. }) => return Err(ConfigError::Override(message).into()),
            resolved => drop(resolved?),
        }
        Ok(())
    }

    /// Checks that the files of a new study have all columns that the user names, and that queries which are in no file
    /// yet can be written.
    ///
    /// # Errors
    /// Returns an error if a column is missing or there is such a file.
    pub fn check_files(&self, dir: &Path, checked: &CheckedFiles) -> Result<(), StudyError> {
        let queries = dir.join(&self.topics);
        if checked.is_derived && queries.symlink_metadata().is_ok() {
            return Err(StudyError::Scaffold(ScaffoldError::Occupied(queries)));
        }
        let named = self.columns.iter().flat_map(|(_, fields)| fields);
        match named.into_iter().find(|field| !checked.fields.contains(field)) {
            Some(field) => Err(StudyError::Scaffold(ScaffoldError::Problem(format!(
                "no file has the column {field:?}, which --columns names; nothing was written. Correct the name"
            )))),
            None => Ok(()),
        }
    }
}
