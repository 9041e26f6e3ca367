//! What other systems reached: the mean and the standard deviation of a measure, topic by topic.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// The figures of other systems on one topic by one measure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Factors {
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation, 0 or more.
    pub deviation: f64,
}

/// The standardization factors of topics and measures (Webber, Moffat and Zobel, Score standardization for inter-collection comparison of
/// retrieval systems, SIGIR 2008), as a reference set of systems gave them. A measure goes by the name under which it stands in the file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Standardization {
    topics: IndexMap<String, IndexMap<String, Factors, FxBuildHasher>, FxBuildHasher>,
}

impl Standardization {
    /// Sets the factors of a measure on a topic; returns those that it had before.
    pub fn insert(&mut self, topic: &str, measure: &str, factors: Factors) -> Option<Factors> {
        match self.topics.get_mut(topic) {
            Some(measures) => measures.insert(measure.to_owned(), factors),
            None => self.topics.entry(topic.to_owned()).or_default().insert(measure.to_owned(), factors),
        }
    }

    /// The factors of a measure on a topic.
    pub fn get(&self, topic: &str, measure: &str) -> Option<Factors> {
        self.topics.get(topic)?.get(measure).copied()
    }

    /// Topics with their measures, in the order of the file.
    pub fn iter(
        &self,
    ) -> impl ExactSizeIterator<Item = (&str, impl ExactSizeIterator<Item = (&str, Factors)>)> {
        self.topics.iter().map(|(topic, measures)| {
            (topic.as_str(), measures.iter().map(|(measure, factors)| (measure.as_str(), *factors)))
        })
    }

    /// How many topics there are.
    pub fn len(&self) -> usize {
        self.topics.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.topics.is_empty()
    }
}
