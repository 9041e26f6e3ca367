//! Qrels: the relevance labels that a measure reads, whoever made them.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::Grade;

/// The labels of one topic: document to grade, in the order of their file.
pub type TopicQrels = IndexMap<Box<str>, Grade, FxBuildHasher>;

/// Labels by topic. A pair that is absent is unjudged, which is not the same as judged 0.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Qrels {
    topics: IndexMap<String, TopicQrels, FxBuildHasher>,
}

impl Qrels {
    /// Sets the grade of a pair. Returns the grade that it had before, if any.
    pub fn insert(&mut self, topic: &str, document: &str, grade: Grade) -> Option<Grade> {
        match self.topics.get_mut(topic) {
            Some(documents) => documents.insert(document.into(), grade),
            None => self.topics.entry(topic.to_owned()).or_default().insert(document.into(), grade),
        }
    }

    /// Sets all labels of a topic at once. Returns those that it had before, if any; they are not kept.
    pub fn insert_topic(&mut self, topic: impl Into<String>, labels: TopicQrels) -> Option<TopicQrels> {
        self.topics.insert(topic.into(), labels)
    }

    /// Makes sure that the topic is present, so that it counts in a mean even when nothing is judged for it.
    pub fn touch(&mut self, topic: &str) {
        if !self.topics.contains_key(topic) {
            self.topics.insert(topic.to_owned(), TopicQrels::default());
        }
    }

    /// The grade of a pair; `None` when it is unjudged.
    pub fn grade(&self, topic: &str, document: &str) -> Option<Grade> {
        self.topics.get(topic)?.get(document).copied()
    }

    /// The labels of a topic.
    pub fn topic(&self, topic: &str) -> Option<&TopicQrels> {
        self.topics.get(topic)
    }

    /// Topics and their labels, in the order of the file.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &TopicQrels)> {
        self.topics.iter().map(|(topic, documents)| (topic.as_str(), documents))
    }

    /// How many topics there are.
    pub fn len(&self) -> usize {
        self.topics.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.topics.is_empty()
    }

    /// How many pairs are judged.
    pub fn pairs(&self) -> usize {
        self.topics.values().map(IndexMap::len).sum()
    }
}
