//! Saves the flags of a study's last run, which llull.toml lacks.

use llull_core::Hash;
use llull_data::DataError;
use serde::{Deserialize, Serialize};

use crate::error::ConfigError;
use crate::folder::Folder;
use crate::overrides::{OfStudy, Overrides};
use crate::saved_file::{SavedFile, is_absent, is_read_only};

/// The source of these flags, in messages.
pub const LAST_RUN_FILE: &str = ".llull/last-run.toml";

/// The file's name, in the ledger's folder.
const FILE: &str = "last-run.toml";

/// The version of the file that this llull writes.
const VERSION: u32 = 1;

/// The flags of the last run, and the `llull.toml` that they overrode.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LastRun {
    version: u32,
    /// The hash of `llull.toml`. After an edit of that file, the flags no longer apply.
    config: String,
    #[serde(default)]
    /// The flags, which override `llull.toml` again.
    pub flags: Overrides,
}

/// The effect of the last run's flags.
#[derive(Debug, Clone, PartialEq)]
pub enum Recalled {
    /// There are no flags, or they change nothing.
    Nothing,
    /// The flags override `llull.toml` and change something.
    Applied(Box<Overrides>),
    /// `llull.toml` was edited since, so the flags do not apply, although they would change something. The text is that
    /// of the command line.
    Dropped(String),
}

impl LastRun {
    /// Returns the flags of a run that are saved: none that hold for one run only, and no address that may hold a
    /// secret.
    pub fn new(config: Hash, flags: &Overrides) -> Self {
        let mut flags = Overrides {
            concurrency: None,
            max_calls: None,
            ask_again: None,
            max_usd: None,
            rubric_hash: None,
            ignore_checks: false,
            paraphrases: None,
            control: None,
            of_study: OfStudy::default(),
            ..flags.clone()
        };
        flags.base_url = flags.base_url.filter(|url| !url.contains(['?', '@', '#']));
        Self { version: VERSION, config: config.to_string(), flags }
    }

    /// Reads the file; `None` if it does not exist.
    ///
    /// # Errors
    /// Returns an error with its remedy if the file is broken, or of a newer llull.
    pub fn read(folder: &Folder) -> Result<Option<Self>, ConfigError> {
        let saved = SavedFile::new(folder, FILE);
        let path = saved.path()?;
        let broken = |problem: String| ConfigError::LastRun { path: path.clone(), problem };
        let Some(text) = saved.text().map_err(|error| broken(error.to_string()))? else { return Ok(None) };
        let table: toml::Table = toml::from_str(&text).map_err(|error| broken(error.message().to_owned()))?;
        let read = match table.get("version").and_then(toml::Value::as_integer) {
            Some(version) if version == i64::from(VERSION) => toml::from_str(&text),
            Some(version) => {
                return Err(broken(format!("its version is {version}, and this llull reads {VERSION}")));
            }
            None => return Err(broken("it has no version".to_owned())),
        };
        Ok(Some(read.map_err(|error| broken(error.message().to_owned()))?))
    }

    /// Whether the flags overrode this `llull.toml`.
    pub fn is_of(&self, config: Hash) -> bool {
        self.config == config.to_string()
    }

    /// Writes the file, or removes it if there is nothing to remember. In a read-only folder it does nothing.
    ///
    /// # Errors
    /// Returns an error if the file can be neither written nor left alone.
    pub fn write(&self, folder: &Folder) -> Result<(), ConfigError> {
        let saved = SavedFile::new(folder, FILE);
        let written = match self.flags == Overrides::default() {
            true => {
                let removed = saved.path().map(fs_err::remove_file)?;
                removed.or_else(|error| if is_absent(&error) { Ok(()) } else { Err(DataError::File(error)) })
            }
            false => self.text().and_then(|text| saved.write(text.as_bytes()).map(drop)),
        };
        match written {
            Err(error) if is_read_only(&error) => Ok(()),
            written => Ok(written?),
        }
    }

    fn text(&self) -> Result<String, DataError> {
        let text = toml::to_string(self).map_err(|error| DataError::File(std::io::Error::other(error)))?;
        Ok(format!(
            "# Settings of the last run that llull.toml lacks. llull report and other commands that send no request\n\
             # apply it until llull.toml is edited; delete this file to forget it.\n{text}"
        ))
    }
}
