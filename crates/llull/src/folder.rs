//! The folder of a study: where its relative paths lead, and where llull keeps what it makes for itself.

use std::path::{Path, PathBuf};

use crate::config::FILE_NAME;
use crate::error::StudyError;

/// The folder of a study.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    dir: PathBuf,
    keeps: bool,
}

impl Folder {
    /// Returns the folder at this path, in which llull keeps files of its own.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { dir: path.into(), keeps: true }
    }

    /// Returns the current folder for a study in memory, which keeps no file there.
    pub(crate) fn of_memory() -> Self {
        Self { dir: PathBuf::from("."), keeps: false }
    }

    /// Returns whether llull keeps files of its own here.
    pub fn keeps(&self) -> bool {
        self.keeps
    }

    /// Returns the folder's path.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Returns a path that is relative to the folder.
    pub fn path(&self, relative: impl AsRef<Path>) -> PathBuf {
        let relative = relative.as_ref();
        if self.dir == Path::new(".") { relative.to_owned() } else { self.dir.join(relative) }
    }

    /// Returns the path of the configuration.
    pub fn config(&self) -> PathBuf {
        self.path(FILE_NAME)
    }

    /// Returns the folder that llull keeps its own files in.
    pub fn private_dir(&self) -> PathBuf {
        self.path(".llull")
    }

    /// Returns the path of the ledger.
    pub fn ledger(&self) -> PathBuf {
        self.private_dir().join("ledger.sqlite")
    }

    /// Returns the path of a file that the configuration names under `key`.
    ///
    /// # Errors
    /// Returns an error that names the line of the configuration if the file is not there.
    pub fn existing(&self, relative: &Path, key: &str) -> Result<PathBuf, StudyError> {
        let path = self.path(relative);
        if path.exists() {
            return Ok(path);
        }
        let (config, line) = (self.config(), self.line_that_names(relative));
        Err(StudyError::NoSuchFile { config, line, key: key.to_owned(), path: relative.to_owned() })
    }

    fn line_that_names(&self, path: &Path) -> Option<usize> {
        let text = fs_err::read_to_string(self.dir.join(FILE_NAME)).ok()?;
        let quoted = toml::Value::from(path.to_string_lossy().into_owned()).to_string();
        text.lines().position(|line| line.contains(&quoted)).map(|index| index + 1)
    }
}
