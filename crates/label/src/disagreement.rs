//! Measures the disagreement of a panel's judges.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use llull_core::{Grade, Label, LabelSet};
use serde::Serialize;

/// A pair on which the judges differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Contested {
    /// The query.
    pub topic: String,
    /// The document.
    pub document: String,
    /// Its label, with the lowest and the highest grade given.
    pub label: Label,
}

/// How far the judges disagree over a set of labels.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Disagreement {
    /// The number of pairs with each spread (highest less lowest grade), among those that two judges or more graded.
    /// Spreads that do not occur are left out.
    pub spreads: BTreeMap<Grade, usize>,
    /// The number of pairs that a single judge graded; they cannot show disagreement and are not among the spreads.
    pub single: usize,
    /// The pairs with the largest spreads above 0, largest first; equal spreads in the order of the labels.
    pub widest: Vec<Contested>,
}

impl Disagreement {
    /// Counts the spreads of all labels and keeps the `most` widest pairs.
    pub fn of(labels: &LabelSet, most: usize) -> Self {
        let mut disagreement = Self::default();
        let mut contested = Vec::new();
        for (topic, documents) in labels.iter() {
            for (document, label) in documents {
                if label.judges < 2 {
                    disagreement.single += 1;
                    continue;
                }
                *disagreement.spreads.entry(label.spread()).or_default() += 1;
                if label.spread() > 0 {
                    contested.push((topic, document, label));
                }
            }
        }
        contested.sort_by_key(|(_, _, label)| Reverse(label.spread()));
        contested.truncate(most);
        disagreement.widest = contested
            .into_iter()
            .map(|(topic, document, label)| Contested {
                topic: topic.into(),
                document: document.into(),
                label,
            })
            .collect();
        disagreement
    }

    /// Returns the number of pairs that two judges or more graded.
    pub fn compared(&self) -> usize {
        self.spreads.values().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::median::{labels_by, median};

    fn panel() -> LabelSet {
        let votes = [
            ("q2", "d1", [Some(0), Some(3)]),
            ("q1", "d9", [Some(1), Some(1)]),
            ("q1", "d2", [Some(3), Some(0)]),
            ("q1", "d1", [Some(2), Some(1)]),
            ("q1", "d3", [Some(2), None]),
            ("q1", "d4", [None, None]),
        ];
        labels_by(median, votes)
    }

    #[test]
    fn spreads_are_counted_where_there_is_something_to_compare() {
        let disagreement = Disagreement::of(&panel(), 10);
        assert_eq!(disagreement.spreads, BTreeMap::from([(0, 1), (1, 1), (3, 2)]));
        assert_eq!(disagreement.single, 1);
        assert_eq!(disagreement.compared(), 4);
    }

    #[test]
    fn the_widest_come_first_and_equals_keep_their_order() {
        let widest = |most| {
            let disagreement = Disagreement::of(&panel(), most);
            disagreement
                .widest
                .iter()
                .map(|pair| format!("{} {}", pair.topic, pair.document))
                .collect::<Vec<_>>()
        };
        assert_eq!(widest(10), ["q2 d1", "q1 d2", "q1 d1"]);
        assert_eq!(widest(1), ["q2 d1"]);
        let label = Disagreement::of(&panel(), 1).widest[0].label;
        assert_eq!((label.low, label.high, label.grade), (0, 3, 0));
    }
}
