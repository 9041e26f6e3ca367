//! Measures contradictions between anchors' grades and the order of tiers.

use std::ops::AddAssign;

/// How far the grades of the anchors contradict the order of the tiers. The counts of several queries can be added.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Contradiction {
    /// The number of items with a grade.
    pub graded: u64,
    /// The number of pairs of graded items on different levels.
    pub pairs: u64,
    /// The number of these pairs with the higher grade on the lower level.
    pub wrong: u64,
    /// The squared distance of each level's mean grade from its fit, times the level's graded items, summed.
    pub squares: f64,
}

impl Contradiction {
    /// Returns the share of the pairs in the wrong order, from 0 to 1; `None` without a pair.
    pub fn share(self) -> Option<f64> {
        (self.pairs > 0).then(|| self.wrong as f64 / self.pairs as f64)
    }

    /// Returns how far the levels' mean grades lie from the fit, in grades: the root of the mean squared distance,
    /// weighted by graded items. 0 if the means never rise down the tiers; `None` without a grade.
    pub fn distance(self) -> Option<f64> {
        (self.graded > 0).then(|| (self.squares / self.graded as f64).sqrt())
    }
}

impl AddAssign for Contradiction {
    fn add_assign(&mut self, other: Self) {
        self.graded += other.graded;
        self.pairs += other.pairs;
        self.wrong += other.wrong;
        self.squares += other.squares;
    }
}
