//! The section of the report on coverage.

use std::collections::BTreeMap;

use llull_core::LabelSet;
use llull_label::Contested;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::tally::JudgeCoverage;

/// The labelled share of the pool, and the reasons for missing labels.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CoverageSection {
    /// Queries in the pool.
    pub topics: usize,
    /// Queries without any label; nothing can be measured on them, so they are in no figure.
    pub topics_without_labels: usize,
    /// Pairs of query and document that were to be judged.
    pub pairs: usize,
    /// Pairs with a label.
    pub labelled: usize,
    /// Pairs without; `pairs - labelled`.
    pub missing: usize,
    /// How many labels there are of each grade that occurs, lowest first.
    pub grades: Vec<GradeCount>,
    /// The outcomes of each judge's questions.
    pub judges: Vec<JudgeCoverage>,
    /// How far the judges are apart; null if no pair was judged by two.
    pub spread: Option<Spread>,
}

/// How many labels are of one grade.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GradeCount {
    /// The grade.
    pub grade: i32,
    /// How many pairs have it.
    pub pairs: u64,
}

impl CoverageSection {
    /// The coverage of a pool by its labels, with the `most` widest disagreements.
    pub fn new(labels: &LabelSet, judges: Vec<JudgeCoverage>, most: usize) -> Self {
        let (pairs, labelled) = (labels.asked(), labels.labelled());
        Self {
            topics: labels.iter().count(),
            topics_without_labels: labels
                .iter()
                .map(|(_, labels)| labels.count())
                .filter(|n| *n == 0)
                .count(),
            pairs,
            labelled,
            missing: pairs.saturating_sub(labelled),
            grades: grades(labels),
            judges,
            spread: spread(labels, most),
        }
    }
}

fn grades(labels: &LabelSet) -> Vec<GradeCount> {
    let mut counts: BTreeMap<i32, u64> = BTreeMap::new();
    for (_, documents) in labels.iter() {
        documents.for_each(|(_, label)| *counts.entry(label.grade).or_default() += 1);
    }
    counts.into_iter().map(|(grade, pairs)| GradeCount { grade, pairs }).collect()
}

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
