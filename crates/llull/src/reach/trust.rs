//! What a study is trusted with.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use llull_llm::Address;

use super::real_path::real_path;
use crate::error::StudyError;
use crate::untrusted::{ReachEntry, ReachKind, Untrusted};

/// How the entry of a command begins.
pub(crate) const COMMAND: &str = "command:";

/// What a study may use of its reach: nothing unless it is said here.
///
/// Trust is of entries, and not of what a file comes to say: when `llull.toml` names another server or another file,
/// that is another entry.
///
/// ```
/// use llull::reach::Trust;
///
/// let trust = Trust::default().with("https://gateway.test")?.with("/srv/corpora")?;
/// # let _ = trust;
/// # Ok::<(), llull::StudyError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trust {
    servers: BTreeSet<String>,
    paths: Vec<PathBuf>,
    commands: BTreeSet<String>,
    variables: BTreeMap<String, String>,
}

impl Trust {
    /// Adds an entry: a server by its address, whose protocol, host and port count, a command by its hash, or a file,
    /// or a folder with all that is in it. A relative path is relative to the current folder.
    ///
    /// # Errors
    /// Returns an error if it begins as an address and is none.
    pub fn with(mut self, entry: &str) -> Result<Self, StudyError> {
        let entry = entry.trim();
        if entry.starts_with(COMMAND) {
            self.commands.insert(entry.to_owned());
        } else if entry.contains("://") {
            self.servers.insert(Address::parse(entry).map_err(StudyError::TrustedAddress)?.server());
        } else if !entry.is_empty() {
            self.paths.push(real_path(Path::new(entry)));
        }
        Ok(self)
    }

    /// Says which variables of the environment come from files such as `.env`, and from which. An address in them is of
    /// the study's reach; one that the user exported is not.
    #[must_use]
    pub fn variables_of_study(self, variables: BTreeMap<String, String>) -> Self {
        Self { variables, ..self }
    }

    /// Returns the file that a variable comes from, if it is a file.
    pub fn file_of_variable(&self, variable: &str) -> Option<&str> {
        self.variables.get(variable).map(String::as_str)
    }

    /// Returns whether an entry may be used.
    pub fn holds(&self, entry: &ReachEntry) -> bool {
        match entry.kind {
            ReachKind::File => self.paths.iter().any(|path| Path::new(&entry.entry).starts_with(path)),
            ReachKind::Server | ReachKind::ClearText => self.servers.contains(&entry.entry),
            ReachKind::Command | ReachKind::JudgingCommand => self.commands.contains(&entry.entry),
        }
    }

    /// Returns an error that names every entry that may not be used.
    pub(crate) fn allow(&self, reach: Vec<ReachEntry>) -> Result<(), StudyError> {
        let untrusted: Vec<ReachEntry> = reach.into_iter().filter(|entry| !self.holds(entry)).collect();
        if untrusted.is_empty() { Ok(()) } else { Err(StudyError::Untrusted(Untrusted(untrusted))) }
    }
}
