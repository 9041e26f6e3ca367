//! The section of the report on coverage.

use std::collections::BTreeMap;

use llull_core::LabelSet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::spread::{Spread, spread};
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
