//! Writes a tree as text.

use std::fmt::Write as _;

use llull_core::PairChoice;

use crate::table::PairFeature;
use crate::tree::{PairTree, TreeNode};

impl PairTree {
    /// Returns the tree as text, a line for each branch, with the pairs of the training set in each leaf:
    ///
    /// ```
    /// use llull_core::PairChoice;
    /// use llull_learner::{PairFeature, PairTree, TreeNode};
    ///
    /// let leaf = |lhs, n| Box::new(TreeNode::Leaf { lhs, n });
    /// let brand = TreeNode::Is { feature: 1, answer: PairChoice::Lhs, yes: leaf(30, 31), no: leaf(15, 20) };
    /// let neither = Box::new(TreeNode::Undecided { n: 4 });
    /// let tree = PairTree { root: TreeNode::Side { feature: 0, lhs: Box::new(brand), neither } };
    /// let named = |name: &str| PairFeature { name: name.into(), calls: 1 };
    /// assert_eq!(tree.text(&[named("title"), named("brand")]), "\
    /// title?
    ///   LHS (RHS: the same with the sides exchanged)
    ///     brand is LHS?
    ///       yes: LHS, 30 of 31 (96.8%)
    ///       no: LHS, 15 of 20 (75.0%)
    ///   Neither or missing: Neither, 4 pairs
    /// ");
    /// ```
    pub fn text(&self, features: &[PairFeature]) -> String {
        let mut text = String::new();
        write(&mut text, &self.root, features, 0, "");
        text
    }
}

fn write(text: &mut String, node: &TreeNode, features: &[PairFeature], depth: usize, branch: &str) {
    let name = |feature: usize| features.get(feature).map_or("?", |feature| feature.name.as_str());
    let indent = "  ".repeat(depth);
    // Writing to a string does not fail.
    let _ = match node {
        TreeNode::Leaf { lhs, n } => writeln!(text, "{indent}{}", ended(branch, &leaf(*lhs, *n))),
        TreeNode::Undecided { n } => {
            let pairs = if *n == 1 { "pair" } else { "pairs" };
            writeln!(text, "{indent}{}", ended(branch, &format!("Neither, {n} {pairs}")))
        }
        TreeNode::Side { feature, lhs, neither } => {
            let depth = opened(text, branch, depth);
            let written = writeln!(text, "{}{}?", "  ".repeat(depth), name(*feature));
            write(text, lhs, features, depth + 1, "LHS (RHS: the same with the sides exchanged)");
            write(text, neither, features, depth + 1, "Neither or missing");
            written
        }
        TreeNode::Is { feature, answer, yes, no } => {
            let depth = opened(text, branch, depth);
            let answer = if *answer == PairChoice::Missing { "missing" } else { answer.name() };
            let written = writeln!(text, "{}{} is {answer}?", "  ".repeat(depth), name(*feature));
            write(text, yes, features, depth + 1, "yes");
            write(text, no, features, depth + 1, "no");
            written
        }
    };
}

/// Writes the name of a branch that goes on on the next lines. Returns their depth.
fn opened(text: &mut String, branch: &str, depth: usize) -> usize {
    if branch.is_empty() {
        return depth;
    }
    text.push_str(&"  ".repeat(depth));
    text.push_str(branch);
    text.push('\n');
    depth + 1
}

fn ended(branch: &str, leaf: &str) -> String {
    if branch.is_empty() { leaf.to_owned() } else { format!("{branch}: {leaf}") }
}

fn leaf(lhs: u32, n: u32) -> String {
    let (side, right) = match 2 * u64::from(lhs) {
        twice if twice > u64::from(n) => ("LHS", lhs),
        twice if twice < u64::from(n) => ("RHS", n.saturating_sub(lhs)),
        _ => ("Neither", lhs),
    };
    let share = if n == 0 { 0.0 } else { 100.0 * f64::from(right) / f64::from(n) };
    format!("{side}, {right} of {n} ({share:.1}%)")
}
