//! The spread of a panel's grades.

use llull_core::LabelSet;
use llull_label::Contested;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How far the judges of one pair are apart: the highest grade minus the lowest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Spread {
    /// Pairs that at least two judges graded.
    pub pairs: u64,
    /// How many pairs have which spread, from 0 up, without gaps.
    pub histogram: Vec<SpreadCount>,
    /// The pairs that the judges differ most about, widest first.
    pub disagreements: Vec<DisputedPair>,
}

/// How many pairs have one spread.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SpreadCount {
    /// The highest grade minus the lowest.
    pub spread: i32,
    /// How many pairs.
    pub pairs: u64,
}

/// A pair that the judges differ about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DisputedPair {
    /// The query.
    pub topic: String,
    /// The document.
    pub document: String,
    /// The label.
    pub grade: i32,
    /// The lowest grade that a judge gave.
    pub low: i32,
    /// The highest grade.
    pub high: i32,
}

/// The spread of the judges' grades over all pairs with two grades or more, with the `most` pairs of the largest
/// differences. Equal differences keep the order of the labels. `None` if there is no such pair.
pub fn spread(labels: &LabelSet, most: usize) -> Option<Spread> {
    let apart = llull_label::Disagreement::of(labels, most);
    let (widest, _) = apart.spreads.last_key_value()?;
    let bar = |spread| SpreadCount { spread, pairs: apart.spreads.get(&spread).map_or(0, |n| *n as u64) };
    Some(Spread {
        pairs: apart.compared() as u64,
        histogram: (0..=*widest).map(bar).collect(),
        disagreements: apart.widest.into_iter().map(DisputedPair::from).collect(),
    })
}

impl From<Contested> for DisputedPair {
    fn from(Contested { topic, document, label }: Contested) -> Self {
        Self { topic, document, grade: label.grade, low: label.low, high: label.high }
    }
}
