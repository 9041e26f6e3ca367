//! The items known to be above and below each item.
//!
//! They follow from votes, directly or by transitivity.

use super::bits::{self, BitMatrix};
use super::strongly_connected::strongly_connected;
use super::votes::Votes;

/// The transitive closure of the edges, both ways. Every item reaches itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reach {
    /// Row: an item. Column: an item at or below it.
    pub(crate) down: BitMatrix,
    /// The transpose of `down`.
    pub(crate) up: BitMatrix,
}

impl Reach {
    pub(crate) fn new(items: usize) -> Self {
        Self { down: BitMatrix::unit(items), up: BitMatrix::unit(items) }
    }

    pub(crate) fn grow(&mut self, items: usize) {
        let before = self.down.size();
        for matrix in [&mut self.down, &mut self.up] {
            matrix.grow(items);
            for item in before..items {
                matrix.set(item, item);
            }
        }
    }

    /// Adds an edge and its consequences: one row operation for each item above `better` and each item below `worse`.
    pub(crate) fn insert(&mut self, better: usize, worse: usize) {
        if self.down.get(better, worse) {
            return;
        }
        let above = self.up.row(better).to_vec();
        let below = self.down.row(worse).to_vec();
        for item in bits::members(&above) {
            if !self.down.get(item, worse) {
                bits::unite(self.down.row_mut(item), &below);
            }
        }
        for item in bits::members(&below) {
            if !self.up.get(item, better) {
                bits::unite(self.up.row_mut(item), &above);
            }
        }
    }

    /// Computes the closure from scratch, for edges of which some may have disappeared.
    pub(crate) fn of(votes: &Votes) -> Self {
        let components = strongly_connected(&votes.beats);
        // Each component comes after everything that it reaches, so the rows that it needs are complete.
        let down = closure(&votes.beats, components.iter());
        let up = closure(&votes.beaten, components.iter().rev());
        Self { down, up }
    }

    /// Returns the items of the same strongly connected component in ascending order.
    pub(crate) fn component(&self, item: usize) -> impl Iterator<Item = usize> {
        bits::members_both(self.down.row(item), self.up.row(item))
    }
}

fn closure<'a>(edges: &BitMatrix, components: impl Iterator<Item = &'a Vec<usize>>) -> BitMatrix {
    let mut closed = BitMatrix::new(edges.size());
    for component in components {
        let mut row = vec![0; edges.size().div_ceil(64)];
        for &item in component {
            bits::insert(&mut row, item);
        }
        for &item in component {
            for next in bits::members(edges.row(item)) {
                if !bits::contains(&row, next) {
                    bits::unite(&mut row, closed.row(next));
                }
            }
        }
        for &item in component {
            closed.row_mut(item).copy_from_slice(&row);
        }
    }
    closed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::options::TieRule;
    use llull_core::Ballot;
    use proptest::prelude::*;

    proptest! {
        // Warshall, A theorem on Boolean matrices, JACM 9, 1962
        #[test]
        fn both_ways_of_closing_are_warshalls(edges in prop::collection::vec((0..70u32, 0..70u32), 0..150)) {
            let mut votes = Votes::new(70, TieRule::Equal);
            let mut grown = Reach::new(40);
            grown.grow(70);
            let mut closed = vec![[false; 70]; 70];
            for (item, row) in closed.iter_mut().enumerate() {
                row[item] = true;
            }
            let mut removed = false;
            for &(better, worse) in edges.iter().filter(|(better, worse)| better != worse) {
                let change = votes.apply(&Ballot::of([[better], [worse]]));
                removed |= change.removed;
                for (better, worse) in change.added {
                    grown.insert(better.index(), worse.index());
                }
            }
            for (one, row) in closed.iter_mut().enumerate() {
                for (other, cell) in row.iter_mut().enumerate() {
                    *cell |= votes.beats.get(one, other);
                }
            }
            for via in 0..70 {
                let onward = closed[via];
                for row in closed.iter_mut().filter(|row| row[via]) {
                    row.iter_mut().zip(onward).for_each(|(cell, more)| *cell |= more);
                }
            }
            let scratch = Reach::of(&votes);
            for (one, row) in closed.iter().enumerate() {
                for (other, &reaches) in row.iter().enumerate() {
                    prop_assert_eq!(scratch.down.get(one, other), reaches);
                    prop_assert_eq!(scratch.up.get(other, one), reaches);
                }
            }
            // A vote for each side of a pair makes it a tie: one more edge, none less.
            prop_assert!(removed || scratch == grown);
        }
    }
}
