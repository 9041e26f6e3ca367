//! Topics: what is asked.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// One topic, also called a query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Topic {
    /// The identifier that runs and qrels use.
    pub id: String,
    /// What the searcher typed, as it was typed.
    pub text: String,
}

/// Topics by identifier, in the order of their file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Topics(IndexMap<String, Topic>);

impl Topics {
    /// Adds a topic. Returns the topic that had this identifier before, if any.
    pub fn insert(&mut self, topic: Topic) -> Option<Topic> {
        self.0.insert(topic.id.clone(), topic)
    }

    /// The topic with this identifier.
    pub fn get(&self, id: &str) -> Option<&Topic> {
        self.0.get(id)
    }

    /// All topics in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Topic> {
        self.0.values()
    }

    /// How many topics there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<Topic> for Topics {
    fn from_iter<I: IntoIterator<Item = Topic>>(topics: I) -> Self {
        Self(topics.into_iter().map(|topic| (topic.id.clone(), topic)).collect())
    }
}
