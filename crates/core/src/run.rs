//! Runs: what one system returned for every topic.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::ranking::Ranking;

/// What one system returned for every topic.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Run {
    /// The system's name.
    pub name: String,
    topics: IndexMap<String, Ranking, FxBuildHasher>,
}

impl Run {
    /// A run without topics.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), topics: IndexMap::default() }
    }

    /// Sets the ranking of a topic. Returns the one that was there before, if any.
    pub fn insert(&mut self, topic: impl Into<String>, ranking: Ranking) -> Option<Ranking> {
        self.topics.insert(topic.into(), ranking)
    }

    /// The ranking of a topic; `None` when the run does not answer it.
    pub fn ranking(&self, topic: &str) -> Option<&Ranking> {
        self.topics.get(topic)
    }

    /// Topics and their rankings, in the order of the file.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Ranking)> {
        self.topics.iter().map(|(topic, ranking)| (topic.as_str(), ranking))
    }

    /// Forgets the topics that are not to be kept.
    pub fn retain(&mut self, mut keep: impl FnMut(&str) -> bool) {
        self.topics.retain(|topic, _| keep(topic));
    }

    /// How many topics the run answers.
    pub fn len(&self) -> usize {
        self.topics.len()
    }

    /// Whether it answers none.
    pub fn is_empty(&self) -> bool {
        self.topics.is_empty()
    }
}
