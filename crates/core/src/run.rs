//! Runs: the results of one system for all queries.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::ranking::Ranking;

/// The results of one system for all queries.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Run {
    /// The system's name.
    pub name: String,
    topics: IndexMap<String, Ranking, FxBuildHasher>,
}

impl Run {
    /// Creates a run without queries.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), topics: IndexMap::default() }
    }

    /// Sets the ranking of a query. Returns the previous ranking, if any.
    pub fn insert(&mut self, topic: impl Into<String>, ranking: Ranking) -> Option<Ranking> {
        self.topics.insert(topic.into(), ranking)
    }

    /// Returns the ranking of a query, or `None` if the run does not answer it.
    pub fn ranking(&self, topic: &str) -> Option<&Ranking> {
        self.topics.get(topic)
    }

    /// Returns the queries and their rankings, in the order of the file.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Ranking)> {
        self.topics.iter().map(|(topic, ranking)| (topic.as_str(), ranking))
    }

    /// Keeps only the queries for which `keep` returns `true`.
    pub fn retain(&mut self, mut keep: impl FnMut(&str) -> bool) {
        self.topics.retain(|topic, _| keep(topic));
    }

    /// Returns the number of queries that the run answers.
    pub fn len(&self) -> usize {
        self.topics.len()
    }

    /// Returns whether the run answers no query.
    pub fn is_empty(&self) -> bool {
        self.topics.is_empty()
    }
}
