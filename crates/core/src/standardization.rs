//! Means and standard deviations of reference systems, for z-scores.
//!
//! They are by measure and query.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// Mean and standard deviation of one measure over the reference systems on one query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Factors {
    /// The mean.
    pub mean: f64,
    /// The standard deviation, 0 or more.
    pub deviation: f64,
}

/// Standardization factors by query and measure, computed from a reference set of systems (Webber, Moffat and Zobel,
/// Score standardization for inter-collection comparison of retrieval systems, SIGIR 2008). Measures have the names
/// that the file gives them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Standardization {
    topics: IndexMap<String, IndexMap<String, Factors, FxBuildHasher>, FxBuildHasher>,
}

impl Standardization {
    /// Sets the factors of a measure on a query. Returns the previous factors, if any.
    pub fn insert(&mut self, topic: &str, measure: &str, factors: Factors) -> Option<Factors> {
        match self.topics.get_mut(topic) {
            Some(measures) => measures.insert(measure.to_owned(), factors),
            None => self.topics.entry(topic.to_owned()).or_default().insert(measure.to_owned(), factors),
        }
    }

    /// Returns the factors of a measure on a query.
    pub fn get(&self, topic: &str, measure: &str) -> Option<Factors> {
        self.topics.get(topic)?.get(measure).copied()
    }

    /// Returns the queries with their measures, in the order of the file.
    pub fn iter(
        &self,
    ) -> impl ExactSizeIterator<Item = (&str, impl ExactSizeIterator<Item = (&str, Factors)>)> {
        self.topics.iter().map(|(topic, measures)| {
            (topic.as_str(), measures.iter().map(|(measure, factors)| (measure.as_str(), *factors)))
        })
    }

    /// Returns the number of queries.
    pub fn len(&self) -> usize {
        self.topics.len()
    }

    /// Returns whether there are no queries.
    pub fn is_empty(&self) -> bool {
        self.topics.is_empty()
    }
}
