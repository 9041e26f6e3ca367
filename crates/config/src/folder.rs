//! The folder of a study: its relative paths and llull's own files.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use llull_data::{DataError, Output, create_below, folder_below, own_file_below};

use crate::error::ConfigError;

/// The folder of llull's own files.
const PRIVATE: &str = ".llull";

/// The folder of a study. It may come from a stranger, so llull follows no symbolic link to its own files here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    dir: PathBuf,
    keeps: bool,
}

impl Folder {
    /// Returns the folder at this path, in which llull saves files of its own.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { dir: path.into(), keeps: true }
    }

    /// Returns the current folder for a study in memory, which saves no file there.
    pub fn of_memory() -> Self {
        Self { dir: PathBuf::from("."), keeps: false }
    }

    /// Returns whether llull saves files of its own here.
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

    /// Returns the folder of llull's own files.
    pub fn private_dir(&self) -> PathBuf {
        self.path(PRIVATE)
    }

    /// Makes the folder of llull's own files, if it does not exist.
    ///
    /// # Errors
    /// Returns an error if it is a symbolic link or cannot be made.
    pub fn make_private_dir(&self) -> Result<PathBuf, DataError> {
        folder_below(&self.dir, PRIVATE)
    }

    pub(crate) fn private_file(&self, relative: impl AsRef<Path>) -> Result<PathBuf, DataError> {
        own_file_below(&self.dir, Path::new(PRIVATE).join(relative))
    }

    /// Creates a file of the study, such as its report. [`Output::finish`] puts it in place.
    ///
    /// # Errors
    /// Returns an error if a symbolic link leads to it, something else is there, or it cannot be created.
    pub fn create(&self, relative: impl AsRef<Path>) -> Result<Output, DataError> {
        create_below(&self.dir, relative)
    }

    pub(crate) fn create_private(&self, relative: impl AsRef<Path>) -> Result<Output, DataError> {
        create_below(&self.dir, Path::new(PRIVATE).join(relative))
    }

    /// Writes a whole file of the study.
    ///
    /// # Errors
    /// Returns the errors of [`create`](Self::create), or an error if the file cannot be written.
    pub fn write(&self, relative: impl AsRef<Path>, bytes: &[u8]) -> Result<(), DataError> {
        let mut file = self.create(relative)?;
        file.write_all(bytes).map_err(DataError::File)?;
        file.finish()
    }

    /// Returns the path of the ledger.
    pub fn ledger(&self) -> PathBuf {
        self.private_dir().join("ledger.sqlite")
    }

    /// Returns the path of a file that the configuration names under `key`.
    ///
    /// # Errors
    /// Returns an error that names the line of the configuration if the file is not there.
    pub fn existing(&self, relative: &Path, key: &str) -> Result<PathBuf, ConfigError> {
        let path = self.path(relative);
        if path.exists() {
            return Ok(path);
        }
        let (config, line) = (self.config(), self.line_that_names(relative));
        Err(ConfigError::NoSuchFile { config, line, key: key.to_owned(), path: relative.to_owned() })
    }

    fn line_that_names(&self, path: &Path) -> Option<usize> {
        let text = fs_err::read_to_string(self.dir.join(FILE_NAME)).ok()?;
        let quoted = toml::Value::from(path.to_string_lossy().into_owned()).to_string();
        text.lines().position(|line| line.contains(&quoted)).map(|index| index + 1)
    }
}

/// The name of a study's configuration file.
pub const FILE_NAME: &str = "llull.toml";

/// The version of `llull.toml` that this llull reads and writes.
pub const FORMAT_VERSION: u32 = 1;
