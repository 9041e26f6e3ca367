//! The next step for a pair: a feature, or a score.

use std::cell::Cell;

use llull_core::PairChoice;

use crate::learner::FittedLearner;
use crate::tree::{PairTree, TreeNode};

/// The next step for a pair.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// These features, by their numbers.
    Ask(Vec<usize>),
    /// Nothing: this is the pair's score, from -1 (surely the right-hand side) to 1.
    Score(f64),
}

impl FittedLearner {
    /// Returns the next step for a pair with these known answers: for a tree the next feature on the pair's branch,
    /// for other learners all features that they read.
    pub fn step(&self, known: impl Fn(usize) -> Option<PairChoice>) -> Step {
        if let Self::Tree(tree) = self {
            return tree.next(known);
        }
        let open: Vec<usize> =
            self.features().into_iter().filter(|feature| known(*feature).is_none()).collect();
        match open.is_empty() {
            true => Step::Score(self.score(|feature| known(feature).unwrap_or(PairChoice::Missing))),
            false => Step::Ask(open),
        }
    }

    /// Returns the share of pairs, from 0 to 1, that need a feature. For a tree it is that of the pairs that it was
    /// fitted to; for other learners all pairs, if they read the feature.
    pub fn asked_of(&self, feature: usize) -> f64 {
        match self {
            Self::Tree(tree) => match tree.pairs_asked(feature) {
                (_, 0) => f64::from(u8::from(tree.features().contains(&feature))),
                (asked, all) => asked as f64 / all as f64,
            },
            other => f64::from(u8::from(other.features().contains(&feature))),
        }
    }
}

impl PairTree {
    /// Returns the next feature for a pair with these known answers, or the pair's score if they lead to a leaf.
    fn next(&self, known: impl Fn(usize) -> Option<PairChoice>) -> Step {
        let open = Cell::new(None);
        let reached = self.reach(|feature| {
            known(feature).unwrap_or_else(|| {
                if open.get().is_none() {
                    open.set(Some(feature));
                }
                PairChoice::Missing
            })
        });
        match open.get() {
            Some(feature) => Step::Ask(vec![feature]),
            None => Step::Score(reached.score),
        }
    }

    /// Returns of how many of the pairs that it was fitted to the tree asks a feature, and of how many there are.
    fn pairs_asked(&self, feature: usize) -> (u64, u64) {
        let all = self.root.pairs();
        let (mut asked, mut open) = (0, vec![&self.root]);
        while let Some(node) = open.pop() {
            match node {
                TreeNode::Leaf { .. } | TreeNode::Undecided { .. } => {}
                // A feature that occurs again further down is known by then.
                TreeNode::Side { feature: own, .. } | TreeNode::Is { feature: own, .. }
                    if *own == feature =>
                {
                    asked += node.pairs();
                }
                TreeNode::Side { lhs: first, neither: second, .. }
                | TreeNode::Is { yes: first, no: second, .. } => open.extend([&**first, &**second]),
            }
        }
        (asked, all)
    }
}

impl TreeNode {
    /// Returns how many pairs came here.
    fn pairs(&self) -> u64 {
        let (mut pairs, mut open) = (0, vec![self]);
        while let Some(node) = open.pop() {
            match node {
                Self::Leaf { n, .. } | Self::Undecided { n } => pairs += u64::from(*n),
                Self::Side { lhs: first, neither: second, .. } | Self::Is { yes: first, no: second, .. } => {
                    open.extend([&**first, &**second]);
                }
            }
        }
        pairs
    }
}
