//! Runs: the results of one system for all queries.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::qrels::Qrels;
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

    /// Returns the run with documents removed from its rankings: the documents below them move up. So a pair that is
    /// left out of an evaluation does not count as not relevant.
    #[must_use]
    pub fn without(&self, is_removed: impl Fn(&str, &str) -> bool) -> Self {
        let mut run = Self::new(self.name.clone());
        for (topic, ranking) in self.iter() {
            run.insert(topic, ranking.without(|document| is_removed(topic, document)));
        }
        run
    }

    /// Returns the run without the documents that these labels [drop](Qrels::drop_pair).
    #[must_use]
    pub fn without_dropped(self, labels: &Qrels) -> Self {
        if labels.most_dropped() == 0 {
            return self;
        }
        let is_dropped = |topic: &str, document: &str| {
            labels.dropped_of(topic).is_some_and(|dropped| dropped.contains(document))
        };
        self.without(is_dropped)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_removed_from_a_ranking_leaves_no_gap() {
        let mut run = Run::new("bm25");
        run.insert("q1", Ranking::from_ordered([("a", 3.0), ("b", 2.0), ("c", 1.0)]));
        run.insert("q2", Ranking::from_ordered([("b", 1.0)]));
        let without = run.without(|topic, document| (topic, document) == ("q1", "b"));
        let order =
            |topic| without.ranking(topic).unwrap().iter().map(|hit| hit.document).collect::<Vec<_>>();
        assert_eq!((order("q1"), order("q2")), (vec!["a", "c"], vec!["b"]));
        assert_eq!((without.name.as_str(), without.len()), ("bm25", 2));
    }
}
