//! Looks up every system's values by query.

use std::collections::BTreeMap;

use llull_metrics::{Cell, Scores, TopicScores};

use super::detail::{TopicSystem, TopicValue};
use crate::json_number::finite;

/// An index of every system's values by query.
///
/// A query without any label is in no [`Scores`], so no system has values there.
#[derive(Debug, Clone)]
pub struct ScoresByQuery<'a> {
    systems: Vec<(&'a str, BTreeMap<&'a str, &'a TopicScores>)>,
}

impl<'a> ScoresByQuery<'a> {
    /// The index of these systems' scores.
    pub fn new(scores: &'a [Scores]) -> Self {
        let by_topic = |scores: &'a Scores| {
            (scores.run.as_str(), scores.topics.iter().map(|topic| (topic.topic.as_str(), topic)).collect())
        };
        Self { systems: scores.iter().map(by_topic).collect() }
    }

    /// The values of every system that was measured on the query, in the order of the scores.
    pub fn systems(&self, topic: &str) -> Vec<TopicSystem> {
        let value =
            |cell: &Cell| TopicValue { value: finite(cell.value), seen: cell.seen, unjudged: cell.unjudged };
        let measured = self.systems.iter().filter_map(|(name, topics)| Some((name, topics.get(topic)?)));
        measured
            .map(|(name, scores)| TopicSystem {
                system: (*name).to_owned(),
                answered: scores.answered,
                values: scores.cells.iter().map(value).collect(),
            })
            .collect()
    }
}
