//! Grows a tree by CART over pairs without left and right.
//!
//! The impurity is Gini's (Breiman, Friedman, Olshen and Stone 1984). The tree equals that of CART on every pair
//! together with its mirror image, at half the cost. Until an answer names a side, the two halves are mirror images,
//! so only one is grown.

use llull_core::{PairChoice, SplitMix64};

use crate::table::TrainingTable;
use crate::tree::{PairTree, TreeNode};

/// A pair of the training set, perhaps with its sides exchanged.
#[derive(Debug, Clone, Copy)]
struct Case {
    row: usize,
    mirrored: bool,
}

/// How far a tree grows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GrowLimits {
    /// The most questions on a branch.
    pub(crate) depth: usize,
    /// The fewest pairs in a leaf.
    pub(crate) leaf: usize,
}

/// Counts of one answer: pairs, and those whose left-hand side is better.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    n: usize,
    lhs: usize,
}

impl Count {
    /// Gini's impurity times the number of pairs.
    fn impurity(self) -> f64 {
        let (n, lhs) = (self.n as f64, self.lhs as f64);
        if self.n == 0 { 0.0 } else { 2.0 * lhs * (n - lhs) / n }
    }

    fn without(self, part: Self) -> Self {
        Self { n: self.n - part.n, lhs: self.lhs - part.lhs }
    }
}

struct Split {
    gain: f64,
    feature: usize,
    answer: PairChoice,
}

/// Grows trees over one table.
pub(crate) struct Grower<'a> {
    table: &'a TrainingTable,
    limits: GrowLimits,
    /// For a forest: how many features each node draws, and from what.
    draw: Option<(usize, SplitMix64)>,
    candidates: Vec<usize>,
}

impl<'a> Grower<'a> {
    pub(crate) fn new(
        table: &'a TrainingTable,
        limits: GrowLimits,
        draw: Option<(usize, SplitMix64)>,
    ) -> Self {
        let candidates = (0..table.table().features().len()).collect();
        Self { table, limits, draw, candidates }
    }

    /// Grows a tree on these rows; one that occurs twice counts twice.
    pub(crate) fn grow(&mut self, rows: impl IntoIterator<Item = usize>) -> PairTree {
        let cases = rows.into_iter().map(|row| Case { row, mirrored: false }).collect();
        PairTree { root: self.symmetric(cases, self.limits.depth) }
    }

    /// A node on a branch where no answer has named a side yet.
    fn symmetric(&mut self, mut cases: Vec<Case>, depth: usize) -> TreeNode {
        let n = cases.len() as u32;
        let split = if depth == 0 { None } else { self.side_split(&cases) };
        let Some(feature) = split else { return TreeNode::Undecided { n } };
        let table = self.table;
        let (mut sided, mut rest) = (Vec::new(), Vec::new());
        for mut case in cases.drain(..) {
            match answer(table, feature, case) {
                PairChoice::Lhs => sided.push(case),
                PairChoice::Rhs => {
                    case.mirrored = !case.mirrored;
                    sided.push(case);
                }
                PairChoice::Neither | PairChoice::Missing => rest.push(case),
            }
        }
        TreeNode::Side {
            feature,
            lhs: Box::new(self.sided(sided, depth - 1)),
            neither: Box::new(self.symmetric(rest, depth - 1)),
        }
    }

    /// A node on a branch that has a side.
    fn sided(&mut self, cases: Vec<Case>, depth: usize) -> TreeNode {
        let all = self.count(&cases);
        let end = TreeNode::Leaf { lhs: all.lhs as u32, n: all.n as u32 };
        if depth == 0 || all.lhs == 0 || all.lhs == all.n || all.n < 2 * self.limits.leaf {
            return end;
        }
        let Some(Split { feature, answer: wanted, .. }) = self.answer_split(&cases, all) else { return end };
        let table = self.table;
        let (yes, no): (Vec<Case>, Vec<Case>) =
            cases.into_iter().partition(|case| answer(table, feature, *case) == wanted);
        let (yes, no) = (self.sided(yes, depth - 1), self.sided(no, depth - 1));
        TreeNode::Is { feature, answer: wanted, yes: Box::new(yes), no: Box::new(no) }
    }

    /// The feature whose named side predicts the better side best.
    fn side_split(&mut self, cases: &[Case]) -> Option<usize> {
        let mut best: Option<(f64, usize)> = None;
        for feature in self.drawn() {
            let counts = self.counts(cases, feature);
            let [lhs, rhs] = [PairChoice::Lhs, PairChoice::Rhs].map(|side| counts[side.code()]);
            let sided = Count { n: lhs.n + rhs.n, lhs: lhs.lhs + rhs.n - rhs.lhs };
            // Before the split half of each is on either side.
            let gain = sided.n as f64 / 2.0 - sided.impurity();
            if sided.n >= self.limits.leaf && gain > 1e-12 && best.is_none_or(|(most, _)| gain > most) {
                best = Some((gain, feature));
            }
        }
        best.map(|(_, feature)| feature)
    }

    /// The answer that splits these pairs best.
    fn answer_split(&mut self, cases: &[Case], all: Count) -> Option<Split> {
        let mut best: Option<Split> = None;
        for feature in self.drawn() {
            let counts = self.counts(cases, feature);
            for answer in PairChoice::ALL {
                let (yes, no) = (counts[answer.code()], all.without(counts[answer.code()]));
                let gain = all.impurity() - yes.impurity() - no.impurity();
                let enough = yes.n >= self.limits.leaf && no.n >= self.limits.leaf;
                if enough && gain > 1e-12 && best.as_ref().is_none_or(|best| gain > best.gain) {
                    best = Some(Split { gain, feature, answer });
                }
            }
        }
        best
    }

    /// The features that a node looks at: all, or as many as are drawn, ascending.
    fn drawn(&mut self) -> Vec<usize> {
        let Some((number, stream)) = &mut self.draw else { return self.candidates.clone() };
        let length = self.candidates.len();
        for at in 0..(*number).min(length) {
            self.candidates.swap(at, at + below(length - at, stream));
        }
        let mut drawn = self.candidates[..(*number).min(length)].to_vec();
        drawn.sort_unstable();
        drawn
    }

    fn count(&self, cases: &[Case]) -> Count {
        let lhs = cases.iter().filter(|case| self.table.lhs()[case.row] != case.mirrored).count();
        Count { n: cases.len(), lhs }
    }

    fn counts(&self, cases: &[Case], feature: usize) -> [Count; 4] {
        let (column, lhs) = (self.table.table().column(feature), self.table.lhs());
        let mut counts = [Count::default(); 4];
        for case in cases {
            let given = column[case.row];
            let given = if case.mirrored { given.mirrored() } else { given };
            let count = &mut counts[given.code()];
            count.n += 1;
            count.lhs += usize::from(lhs[case.row] != case.mirrored);
        }
        counts
    }
}

fn answer(table: &TrainingTable, feature: usize, case: Case) -> PairChoice {
    let given = table.table().column(feature)[case.row];
    if case.mirrored { given.mirrored() } else { given }
}

/// A whole number from 0 to `length` - 1: the high half of the product (Lemire 2019), without its rejection step.
pub(crate) fn below(length: usize, stream: &mut SplitMix64) -> usize {
    ((u128::from(stream.next_u64()) * length as u128) >> 64) as usize
}
