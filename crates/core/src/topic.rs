//! Queries, which TREC calls topics.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// A query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Topic {
    /// The identifier that runs and qrels use.
    pub id: String,
    /// The text of the query, as the searcher typed it.
    pub text: String,
}

/// Queries by identifier, in the order of the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Topics(IndexMap<String, Topic>);

impl Topics {
    /// Adds a query. Returns the previous query with this identifier, if any.
    pub fn insert(&mut self, topic: Topic) -> Option<Topic> {
        self.0.insert(topic.id.clone(), topic)
    }

    /// Returns the query with this identifier.
    pub fn get(&self, id: &str) -> Option<&Topic> {
        self.0.get(id)
    }

    /// Returns all queries in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Topic> {
        self.0.values()
    }

    /// Returns the number of queries.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no queries.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<Topic> for Topics {
    fn from_iter<I: IntoIterator<Item = Topic>>(topics: I) -> Self {
        Self(topics.into_iter().map(|topic| (topic.id.clone(), topic)).collect())
    }
}
