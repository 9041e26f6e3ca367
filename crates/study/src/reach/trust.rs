//! The trust in a study.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use llull_config::is_variable;
use llull_llm::Address;

use super::real_path::real_path;
use crate::error::StudyError;
use crate::reach::untrusted::{ReachEntry, ReachKind, Untrusted};

/// The beginning of a command's entry.
pub(crate) const COMMAND: &str = "command:";

/// Returns the entry of a server: its address, after the variable of its key.
pub(crate) fn server_entry(key: Option<&str>, server: &str) -> String {
    match key {
        Some(variable) => format!("{variable}@{server}"),
        None => server.to_owned(),
    }
}

/// The part of its reach that a study may use: only the entries here.
///
/// Trust is in entries, and not in a file's future content. If `llull.toml` names another server, another key for it or
/// another file, that is another entry.
///
/// ```
/// use llull_study::reach::Trust;
///
/// let trust = Trust::default().with("OPENAI_API_KEY@https://gateway.test")?.with("/srv/corpora")?;
/// # let _ = trust;
/// # Ok::<(), llull_study::StudyError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trust {
    servers: BTreeSet<String>,
    paths: Vec<PathBuf>,
    commands: BTreeSet<String>,
    variables: BTreeMap<String, String>,
}

impl Trust {
    /// Adds an entry: a server by protocol, host and port of its address, a bucket, a command by its hash, a file, or a
    /// folder with its content.
    ///
    /// A relative path is relative to the current folder. A server gets a key only if its variable precedes the
    /// address: `OPENAI_API_KEY@https://gateway.test`.
    ///
    /// # Errors
    /// Returns an error if it begins like an address and is invalid.
    pub fn with(mut self, entry: &str) -> Result<Self, StudyError> {
        let entry = entry.trim();
        if entry.starts_with(COMMAND) {
            self.commands.insert(entry.to_owned());
        } else if entry.contains("://") {
            let (key, address) = match entry.split_once('@') {
                Some((key, address)) if is_variable(key) => (Some(key), address),
                _ => (None, entry),
            };
            let bucket = address.strip_prefix("s3://").and_then(|rest| rest.split('/').next());
            let server = match bucket {
                Some(bucket) => format!("s3://{bucket}"),
                None => Address::parse(address)
                    .map_err(|error| StudyError::Problem(format!("to be trusted: {error}")))?
                    .server(),
            };
            // Trust in a server with a key includes requests without it.
            self.servers.extend([server_entry(key, &server), server]);
        } else if !entry.is_empty() {
            self.paths.push(real_path(Path::new(entry)));
        }
        Ok(self)
    }

    /// Sets the variables of the environment that come from files such as `.env`, with these files. An address in them
    /// is part of the study's reach; one that the user exported is not.
    #[must_use]
    pub fn variables_of_study(self, variables: BTreeMap<String, String>) -> Self {
        Self { variables, ..self }
    }

    /// Returns the file of a variable, if it comes from one.
    pub fn file_of_variable(&self, variable: &str) -> Option<&str> {
        self.variables.get(variable).map(String::as_str)
    }

    /// Returns whether an entry may be used.
    pub fn holds(&self, entry: &ReachEntry) -> bool {
        match entry.kind {
            ReachKind::File => self.paths.iter().any(|path| Path::new(&entry.entry).starts_with(path)),
            ReachKind::Server | ReachKind::ClearText | ReachKind::RetrievalServer => {
                self.servers.contains(&entry.entry)
            }
            ReachKind::Command | ReachKind::JudgingCommand | ReachKind::Ledger => {
                self.commands.contains(&entry.entry)
            }
        }
    }

    /// Returns an error that names every entry without trust.
    pub(crate) fn allow(&self, reach: Vec<ReachEntry>) -> Result<(), StudyError> {
        let untrusted: Vec<ReachEntry> = reach.into_iter().filter(|entry| !self.holds(entry)).collect();
        if untrusted.is_empty() { Ok(()) } else { Err(StudyError::Untrusted(Untrusted(untrusted))) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(entry: &str) -> ReachEntry {
        ReachEntry { kind: ReachKind::Server, entry: entry.into(), text: String::new() }
    }

    #[test]
    fn a_key_is_trusted_to_one_server_and_a_server_with_one_key() {
        let trust = Trust::default().with("A_KEY@https://H.test:443/v1").unwrap();
        assert!(trust.holds(&server("A_KEY@https://h.test")) && trust.holds(&server("https://h.test")));
        for other in ["B_KEY@https://h.test", "A_KEY@https://other.test", "A_KEY@http://h.test"] {
            assert!(!trust.holds(&server(other)), "{other}");
        }
        let bucket = Trust::default().with("A_KEY@s3://mine/folder").unwrap();
        assert!(bucket.holds(&server("A_KEY@s3://mine")) && !bucket.holds(&server("A_KEY@s3://mine-2")));
        let bare = Trust::default().with("https://h.test").unwrap();
        assert!(bare.holds(&server("https://h.test")) && !bare.holds(&server("A_KEY@https://h.test")));
        assert!(
            Trust::default().with("https://me@h.test").is_err() && Trust::default().with("A@://").is_err()
        );
    }
}
