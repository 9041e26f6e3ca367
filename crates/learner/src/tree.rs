//! A decision tree over pairs.

use llull_core::PairChoice;
use serde::{Deserialize, Serialize};

/// A place in a tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum TreeNode {
    /// The end of a branch: of `n` pairs of the training set the left-hand side was better in `lhs`.
    Leaf {
        /// The pairs whose left-hand side was better.
        lhs: u32,
        /// All pairs that came here.
        n: u32,
    },
    /// The end of a branch on which no answer has named a side, so that both sides are equally likely.
    Undecided {
        /// The pairs that came here.
        n: u32,
    },
    /// Reads a side, where no answer has named one before.
    Side {
        /// The feature.
        feature: usize,
        /// Where the left-hand side is named. Where the right-hand side is named the same holds with sides exchanged.
        lhs: Box<TreeNode>,
        /// Where no side is named, or there is no answer.
        neither: Box<TreeNode>,
    },
    /// Asks whether a feature has this answer.
    Is {
        /// The feature.
        feature: usize,
        /// The answer.
        answer: PairChoice,
        /// Where it has it.
        yes: Box<TreeNode>,
        /// Where it has another one.
        no: Box<TreeNode>,
    },
}

/// A decision tree over the answers about a pair, whose branches for the two sides are mirror images.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairTree {
    /// Where it begins.
    pub root: TreeNode,
}

/// Where a pair ends in a tree.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reached {
    /// From -1 (surely the right-hand side) to 1 (surely the left-hand side).
    pub(crate) score: f64,
    /// The features that were read, each once.
    pub(crate) asked: Vec<usize>,
}

impl PairTree {
    /// Returns how sure the tree is that the left-hand side is better, from -1 (surely not) to 1. `answer` gives the
    /// answer to a feature and is called along the pair's branch only.
    pub fn score(&self, answer: impl FnMut(usize) -> PairChoice) -> f64 {
        self.reach(answer).score
    }

    /// Walks to the pair's leaf.
    pub(crate) fn reach(&self, mut answer: impl FnMut(usize) -> PairChoice) -> Reached {
        let (mut node, mut mirrored, mut asked) = (&self.root, false, Vec::new());
        let mut ask = |feature: usize, mirrored: bool| {
            if !asked.contains(&feature) {
                asked.push(feature);
            }
            let given = answer(feature);
            if mirrored { given.mirrored() } else { given }
        };
        let score = loop {
            node = match node {
                TreeNode::Leaf { lhs, n } => break leaf_score(*lhs, *n),
                TreeNode::Undecided { .. } => break 0.0,
                TreeNode::Side { feature, lhs, neither } => match ask(*feature, mirrored) {
                    PairChoice::Lhs => lhs,
                    PairChoice::Rhs => {
                        mirrored = !mirrored;
                        lhs
                    }
                    PairChoice::Neither | PairChoice::Missing => neither,
                },
                TreeNode::Is { feature, answer, yes, no } => match ask(*feature, mirrored) {
                    given if given == *answer => yes,
                    _ => no,
                },
            };
        };
        Reached { score: if mirrored { -score } else { score }, asked }
    }

    /// Returns the features that the tree asks anywhere, ascending.
    pub fn features(&self) -> Vec<usize> {
        let mut found = Vec::new();
        let mut open = vec![&self.root];
        while let Some(node) = open.pop() {
            match node {
                TreeNode::Leaf { .. } | TreeNode::Undecided { .. } => {}
                TreeNode::Side { feature, lhs: first, neither: second }
                | TreeNode::Is { feature, yes: first, no: second, .. } => {
                    found.push(*feature);
                    open.extend([&**first, &**second]);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether no leaf counts more left-hand sides than pairs.
    pub(crate) fn is_sound(&self) -> bool {
        let mut open = vec![&self.root];
        while let Some(node) = open.pop() {
            match node {
                TreeNode::Leaf { lhs, n } if lhs > n => return false,
                TreeNode::Leaf { .. } | TreeNode::Undecided { .. } => {}
                TreeNode::Side { lhs: first, neither: second, .. }
                | TreeNode::Is { yes: first, no: second, .. } => open.extend([&**first, &**second]),
            }
        }
        true
    }
}

/// The score of a leaf: (wins - losses) / (pairs + 2), so that a leaf with few pairs is less sure (Laplace's rule of
/// succession, on a scale from -1 to 1).
pub(crate) fn leaf_score(lhs: u32, n: u32) -> f64 {
    (2.0 * f64::from(lhs) - f64::from(n)) / (f64::from(n) + 2.0)
}
