//! The learners, before and after they are fitted.

use llull_core::PairChoice;
use serde::{Deserialize, Serialize};

use crate::forest::PairForest;
use crate::logistic::LogisticPairs;
use crate::table::FeatureTable;
use crate::tree::PairTree;

/// A way to make one answer of many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(strum::Display, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase", parse_err_ty = UnknownLearner, parse_err_fn = UnknownLearner::of)]
pub enum LearnerKind {
    /// A decision tree.
    Tree,
    /// Logistic regression with a ridge penalty.
    Logistic,
    /// A random forest.
    Forest,
    /// The side that more features name, without learning.
    Vote,
}

/// A name that is no learner's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no learner: tree, logistic, forest or vote")]
pub struct UnknownLearner(pub String);

impl UnknownLearner {
    fn of(name: &str) -> Self {
        Self(name.to_owned())
    }
}

impl LearnerKind {
    /// All of them; of two that are equally good the first is taken.
    pub const ALL: [Self; 4] = [Self::Tree, Self::Logistic, Self::Forest, Self::Vote];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A learner that has been fitted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FittedLearner {
    /// A decision tree.
    Tree(PairTree),
    /// Logistic regression.
    Logistic(LogisticPairs),
    /// A random forest.
    Forest(PairForest),
    /// A vote of so many features.
    Vote(usize),
}

impl FittedLearner {
    /// Returns the kind of this learner.
    pub const fn kind(&self) -> LearnerKind {
        match self {
            Self::Tree(_) => LearnerKind::Tree,
            Self::Logistic(_) => LearnerKind::Logistic,
            Self::Forest(_) => LearnerKind::Forest,
            Self::Vote(_) => LearnerKind::Vote,
        }
    }

    /// Returns how sure it is that the left-hand side is better, from -1 (surely the right-hand side) to 1. With all
    /// answers mirrored it is the same with the other sign.
    pub fn score(&self, answer: impl Fn(usize) -> PairChoice) -> f64 {
        match self {
            Self::Tree(tree) => tree.score(answer),
            Self::Logistic(regression) => regression.score(answer),
            Self::Forest(forest) => forest.score(answer),
            Self::Vote(features) => {
                let sum: i64 = (0..*features).map(|feature| i64::from(answer(feature).vote())).sum();
                sum as f64 / (*features).max(1) as f64
            }
        }
    }

    /// Returns the score of a row of a table with the features it was fitted to.
    ///
    /// # Panics
    /// Panics if the table has fewer features or rows.
    pub fn score_row(&self, table: &FeatureTable, row: usize) -> f64 {
        self.score(|feature| table.column(feature)[row])
    }

    /// Returns the features that its score reads, ascending.
    pub fn features(&self) -> Vec<usize> {
        match self {
            Self::Tree(tree) => tree.features(),
            Self::Logistic(regression) => (0..regression.weights.len()).collect(),
            Self::Vote(features) => (0..*features).collect(),
            Self::Forest(forest) => {
                let mut all: Vec<usize> = forest.trees.iter().flat_map(PairTree::features).collect();
                all.sort_unstable();
                all.dedup();
                all
            }
        }
    }
}
