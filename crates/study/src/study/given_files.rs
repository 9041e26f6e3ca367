//! Checks the files of `llull init` before anything is written.

use std::path::{Path, PathBuf};

use llull_config::{ConfigError, FILE_NAME, Overrides, Settings, StudyFile};
use llull_data::{CorpusFields, read_topics, shown_path, stream_corpus};
use llull_files::{read_labels, read_system};

use super::scaffold::Scaffold;
use crate::error::StudyError;
use crate::inputs::InputError;
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

impl GivenFile {
    fn path(&self) -> &Path {
        match self {
            Self::Topics(path) | Self::Corpus(path) | Self::Labels(path) => path,
            Self::Run { file, .. } => file,
        }
    }

    /// Reads the whole file, so that an error in its last line is found, too.
    fn check(&self) -> Result<(), StudyError> {
        let path = self.path();
        if !path.exists() {
            return Err(StudyError::Scaffold(ScaffoldError::NotGiven(shown_path(path))));
        }
        match self {
            Self::Topics(_) => match read_topics(path)?.is_empty() {
                true => Err(StudyError::Inputs(InputError::NoQueries(shown_path(path)))),
                false => Ok(()),
            },
            Self::Corpus(_) => {
                stream_corpus(path, &CorpusFields::default(), |_, _| Ok(())).map(drop).map_err(Into::into)
            }
            Self::Run { name, .. } => {
                read_system(path, name, None, Default::default()).map(drop).map_err(Into::into)
            }
            Self::Labels(_) => read_labels(path).map(drop).map_err(Into::into),
        }
    }
}

impl Scaffold {
    /// Checks a new study before it is written.
    ///
    /// The folder must have no study yet, the systems need different names, the judge must be valid, and these files
    /// must be readable to their ends.
    ///
    /// # Errors
    /// Returns the first error, with file and line.
    pub fn check(&self, dir: &Path, files: &[GivenFile]) -> Result<(), StudyError> {
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
        files.iter().try_for_each(GivenFile::check)
    }
}
