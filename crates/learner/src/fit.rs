//! Fits a learner to a table.

use llull_core::Seed;

use crate::forest::PairForest;
use crate::grow::{GrowLimits, Grower};
use crate::learner::{FittedLearner, LearnerKind};
use crate::logistic::LogisticPairs;
use crate::table::TrainingTable;

/// How learners are fitted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LearnerSettings {
    /// The most questions that a tree asks on a branch.
    pub depth: usize,
    /// The fewest pairs in a leaf of the tree.
    pub leaf: usize,
    /// The trees of the forest.
    pub trees: usize,
    /// The fewest pairs in a leaf of the forest.
    pub forest_leaf: usize,
    /// The ridge penalty of the regression: half of it times the sum of squared weights. Above 0.
    pub ridge: f64,
    /// The source of chance, for the forest.
    pub seed: Seed,
}

impl LearnerSettings {
    /// Returns the defaults: a tree of depth 5 with leaves of 10 pairs, a forest of 300 trees with leaves of 5, a ridge
    /// of 10.
    pub fn new(seed: Seed) -> Self {
        Self { depth: 5, leaf: 10, trees: 300, forest_leaf: 5, ridge: 10.0, seed }
    }
}

/// Fits a learner to these rows of a table.
///
/// # Panics
/// Panics if there is no such row.
pub fn fit(
    kind: LearnerKind,
    table: &TrainingTable,
    rows: &[usize],
    settings: &LearnerSettings,
) -> FittedLearner {
    let &LearnerSettings { depth, leaf, trees, forest_leaf, ridge, seed } = settings;
    match kind {
        LearnerKind::Tree => {
            let mut grower = Grower::new(table, GrowLimits { depth, leaf }, None);
            FittedLearner::Tree(grower.grow(rows.iter().copied()))
        }
        LearnerKind::Logistic => FittedLearner::Logistic(LogisticPairs::fit(table, rows, ridge)),
        LearnerKind::Forest => FittedLearner::Forest(PairForest::fit(table, rows, trees, forest_leaf, seed)),
        LearnerKind::Vote => FittedLearner::Vote(table.table().features().len()),
    }
}
