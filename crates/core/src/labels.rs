//! Labels: what several judges' verdicts amount to, always derived, never stored as truth.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::{Grade, Qrels};

/// The label of one pair and how sure it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    /// The grade that measures read.
    pub grade: Grade,
    /// The lowest grade that a judge gave.
    pub low: Grade,
    /// The highest grade that a judge gave.
    pub high: Grade,
    /// How many judges' verdicts it rests on; at least 1.
    pub judges: u16,
}

impl Label {
    /// How far the judges are apart: 0 when they agree.
    pub fn spread(self) -> Grade {
        self.high.saturating_sub(self.low)
    }
}

/// The labels of a pool. Pairs without one usable verdict have none: they are missing, and counted.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LabelSet {
    topics: IndexMap<String, IndexMap<Box<str>, Label>>,
    asked: usize,
}

impl LabelSet {
    /// Counts a pair that was to be judged, and its label if there is one. Keeps the topic even without any.
    pub fn record(&mut self, topic: &str, document: &str, label: Option<Label>) {
        self.asked += 1;
        if !self.topics.contains_key(topic) {
            self.topics.insert(topic.to_owned(), IndexMap::new());
        }
        if let (Some(label), Some(documents)) = (label, self.topics.get_mut(topic)) {
            documents.insert(document.into(), label);
        }
    }

    /// The label of a pair.
    pub fn get(&self, topic: &str, document: &str) -> Option<Label> {
        self.topics.get(topic)?.get(document).copied()
    }

    /// Topics, each with its labelled documents.
    pub fn iter(&self) -> impl Iterator<Item = (&str, impl Iterator<Item = (&str, Label)>)> {
        self.topics.iter().map(|(topic, labels)| {
            (topic.as_str(), labels.iter().map(|(document, label)| (&**document, *label)))
        })
    }

    /// How many pairs were to be judged.
    pub fn asked(&self) -> usize {
        self.asked
    }

    /// How many pairs have a label.
    pub fn labelled(&self) -> usize {
        self.topics.values().map(IndexMap::len).sum()
    }

    /// The share of pairs that have a label, from 0 to 1; `None` when nothing was to be judged.
    pub fn coverage(&self) -> Option<f64> {
        (self.asked > 0).then(|| self.labelled() as f64 / self.asked as f64)
    }

    /// The grades alone, as qrels. A topic without a label is absent: nothing can be measured on it.
    pub fn qrels(&self) -> Qrels {
        let mut qrels = Qrels::default();
        for (topic, labels) in &self.topics {
            for (document, label) in labels {
                qrels.insert(topic, document, label.grade);
            }
        }
        qrels
    }
}
