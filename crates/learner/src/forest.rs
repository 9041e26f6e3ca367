//! A random forest of trees on resampled pairs (Breiman 2001).
//!
//! Each node of a tree considers a few features only.

use llull_core::{PairChoice, Seed, SplitMix64};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::grow::{GrowLimits, Grower, below};
use crate::table::TrainingTable;
use crate::tree::PairTree;

/// The depth that no tree of a forest reaches before its leaves are small.
const DEEPEST: usize = 40;

/// Trees whose scores are averaged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairForest {
    /// The trees.
    pub trees: Vec<PairTree>,
}

impl PairForest {
    /// Grows `trees` trees with leaves of at least `leaf` pairs.
    pub(crate) fn fit(table: &TrainingTable, rows: &[usize], trees: usize, leaf: usize, seed: Seed) -> Self {
        let features = table.table().features().len();
        let drawn = (libm::sqrt(features as f64).round() as usize).max(1);
        let first = seed.stream("forest");
        let grow = |tree: usize| {
            let mut stream = SplitMix64::new(SplitMix64::mix(first ^ tree as u64));
            let sample: Vec<usize> = rows.iter().map(|_| rows[below(rows.len(), &mut stream)]).collect();
            Grower::new(table, GrowLimits { depth: DEEPEST, leaf }, Some((drawn, stream))).grow(sample)
        };
        Self { trees: (0..trees).into_par_iter().map(grow).collect() }
    }

    /// Returns the mean of the trees' scores.
    pub(crate) fn score(&self, answer: impl Fn(usize) -> PairChoice) -> f64 {
        // Counted up and down apart, so that the mirrored pair has exactly the opposite score.
        let scores = self.trees.iter().map(|tree| tree.score(&answer));
        let (mut up, mut down) = (0.0, 0.0);
        scores.for_each(|score| if score > 0.0 { up += score } else { down -= score });
        (up - down) / self.trees.len().max(1) as f64
    }
}
