//! Numbers of grades and cells, and positions of grades.

use std::collections::{BTreeMap, BTreeSet};

use llull_core::Grade;

/// Returns the position of a grade in the ascending scale that holds it.
pub(super) fn number(scale: &[Grade], grade: Grade) -> usize {
    scale.partition_point(|other| *other < grade)
}

/// Returns the positions of grades on a line that starts at the lowest, so that their squares stay small.
pub(super) fn places(scale: &[Grade]) -> Vec<f64> {
    let lowest = scale.first().copied().map_or(0.0, f64::from);
    scale.iter().map(|grade| f64::from(*grade) - lowest).collect()
}

/// Returns a number for each different cell, ascending from 0.
pub(super) fn cell_numbers<C: Ord>(cells: impl Iterator<Item = C>) -> BTreeMap<C, usize> {
    let different: BTreeSet<C> = cells.collect();
    different.into_iter().zip(0..).collect()
}
