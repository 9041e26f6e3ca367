//! How a study was last run: the flags that `llull.toml` does not say.

use std::io::ErrorKind;

use llull_core::Hash;
use llull_data::DataError;
use serde::{Deserialize, Serialize};

use crate::error::ConfigError;
use crate::folder::Folder;
use crate::overrides::{OfStudy, Overrides};
use crate::saved_file::is_read_only;

/// Where its flags come from, in messages.
pub const LAST_RUN_FILE: &str = ".llull/last-run.toml";

/// Its name, beside the ledger.
const FILE: &str = "last-run.toml";

/// The version of the file that this llull writes.
const VERSION: u32 = 1;

/// The flags of the last run, and the `llull.toml` above which they stood.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LastRun {
    version: u32,
    /// The hash of `llull.toml`. Once that is edited, the flags are no longer applied.
    config: String,
    #[serde(default)]
    /// The flags, which stand above `llull.toml` again.
    pub flags: Overrides,
}

/// What became of the flags of the last run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recalled {
    /// There are none, or they change nothing.
    Nothing,
    /// They stand above `llull.toml`, and change something. They are given as they would be typed.
    Applied(String),
    /// `llull.toml` was edited since, so they are not applied, although they would change something.
    Dropped(String),
}

impl LastRun {
    /// Makes what is kept of a run: its flags, without those that hold for one run only. An address that may hold a
    /// secret is not kept.
    pub fn new(config: Hash, flags: &Overrides) -> Self {
        let mut flags = Overrides {
            concurrency: None,
            max_calls: None,
            retry_refused: None,
            max_tokens: None,
            max_usd: None,
            recheck: None,
            rubric_hash: None,
            ignore_alarms: false,
            paraphrases: None,
            control: None,
            of_study: OfStudy::default(),
            ..flags.clone()
        };
        flags.base_url = flags.base_url.filter(|url| !url.contains(['?', '@', '#']));
        Self { version: VERSION, config: config.to_string(), flags }
    }

    /// Reads the file; `None` if there is none.
    ///
    /// # Errors
    /// Returns an error that says what to do if it is broken, or of a newer llull.
    pub fn read(folder: &Folder) -> Result<Option<Self>, ConfigError> {
        let path = folder.private_file(FILE)?;
        let broken = |problem: String| ConfigError::LastRun { path: path.clone(), problem };
        let text = match fs_err::read_to_string(&path) {
            Err(error) if is_absent(&error) => return Ok(None),
            read => read.map_err(|error| broken(error.to_string()))?,
        };
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

    /// Whether they stood above this `llull.toml`.
    pub fn is_of(&self, config: Hash) -> bool {
        self.config == config.to_string()
    }

    /// Writes the file, or removes it if there is nothing to remember. A folder that cannot be written to remembers
    /// nothing.
    ///
    /// # Errors
    /// Returns an error if the file can be neither written nor left alone.
    pub fn write(&self, folder: &Folder) -> Result<(), ConfigError> {
        let written = match self.flags == Overrides::default() {
            true => {
                let removed = folder.private_file(FILE).map(fs_err::remove_file)?;
                removed.or_else(|error| if is_absent(&error) { Ok(()) } else { Err(DataError::File(error)) })
            }
            false => self.text().and_then(|text| folder.write_private(FILE, text.as_bytes()).map(drop)),
        };
        match written {
            Err(error) if is_read_only(&error) => Ok(()),
            written => Ok(written?),
        }
    }

    fn text(&self) -> Result<String, DataError> {
        let text = toml::to_string(self).map_err(|error| DataError::File(std::io::Error::other(error)))?;
        Ok(format!(
            "# How this study was last run, beside llull.toml. llull report and the other commands that ask nothing\n\
             # apply it until llull.toml is edited; delete this file to forget it.\n{text}"
        ))
    }
}

fn is_absent(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}
