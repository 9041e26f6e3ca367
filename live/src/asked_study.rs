//! Studies of tests whose systems are on servers.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use llull::EncodingError;
use llull::config::{FILE_NAME, Overrides};
use llull::core::Topics;
use llull::encoder::{Encoder, TextRole};
use llull::reach::Trust;
use llull::{LiveRequests, LiveResults, Study, StudyError};
use tempfile::TempDir;

/// A study in a temporary folder, and the environment of its searches.
pub struct AskedStudy<'a> {
    folder: TempDir,
    environment: BTreeMap<String, String>,
    encoder: Option<&'a dyn Encoder>,
}

impl<'a> AskedStudy<'a> {
    /// Writes a study with these systems, as lines of `llull.toml`, and these queries, which are called q1, q2, ...
    ///
    /// # Panics
    /// Panics if it cannot be written.
    pub fn new(systems: &str, queries: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs_err::write(folder.path().join(name), text).unwrap();
        let topics = queries.iter().zip(1..).map(|(query, number)| format!("q{number}\t{query}\n"));
        write("topics.tsv", &topics.collect::<String>());
        write(
            FILE_NAME,
            &format!(
                "version = 1\nname = \"live\"\ntopics = \"topics.tsv\"\n[retrieve]\ndepth = 5\n{systems}"
            ),
        );
        Self { folder, environment: BTreeMap::new(), encoder: None }
    }

    /// Sets a variable of the environment.
    pub fn variable(mut self, name: &str, value: &str) -> Self {
        self.environment.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Sets the encoder of queries.
    pub fn encoder(self, encoder: &'a dyn Encoder) -> Self {
        Self { encoder: Some(encoder), ..self }
    }

    /// Runs all systems, which the study is trusted with, and returns the results of each, by name.
    ///
    /// # Errors
    /// Returns the text of llull's error.
    ///
    /// # Panics
    /// Panics if the study cannot be opened.
    pub fn ask(&self) -> Result<BTreeMap<String, LiveResults>, String> {
        let refused = self.retrieve(&self.open(&Trust::default()));
        assert!(matches!(refused, Err(StudyError::Untrusted(_))), "a request without trust: {refused:?}");
        let (dir, typed) = (self.folder.path(), Overrides::default());
        let reach =
            Study::reach(dir, &typed, false, &Trust::default(), &|name| self.variable_of(name)).unwrap();
        let trust = reach.iter().fold(Trust::default(), |trust, entry| trust.with(&entry.entry).unwrap());
        let study = self.open(&trust);
        self.retrieve(&study).map_err(|error| error.to_string())?;
        let topics: Topics = study.topics().unwrap();
        let results = study.retrieval().live_results(&topics).map_err(|error| error.to_string())?;
        Ok(results.into_iter().map(|(name, results)| (name.to_owned(), results)).collect())
    }

    fn variable_of(&self, name: &str) -> Option<String> {
        self.environment.get(name).cloned()
    }

    fn open(&self, trust: &Trust) -> Study {
        Study::open_trusting(self.folder.path(), &Overrides::default(), trust).unwrap()
    }

    fn retrieve(&self, study: &Study) -> Result<(), StudyError> {
        let environment = |name: &str| self.variable_of(name);
        let vectors = |name: &str, texts: &[&str]| {
            let encoder = self.encoder.filter(|encoder| encoder.name() == name);
            let encoder = encoder
                .ok_or_else(|| StudyError::Encoding(EncodingError::Encoder(format!("there is no {name}"))))?;
            let vectors = encoder.encode(texts, TextRole::Query)?;
            Ok(vectors.iter().map(|(vector, _)| vector.to_vec()).collect())
        };
        study.retrieval().ask_live(
            LiveRequests { environment: &environment, vectors: &vectors },
            true,
            |_| {},
        )
    }
}
