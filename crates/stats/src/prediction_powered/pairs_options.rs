//! The options of a correction by pairs.

use super::estimand::Estimand;
use super::looks::Looks;

/// How pairs are corrected.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairsOptions {
    /// The number of queries of the figure, those without a pair among them.
    pub queries: usize,
    /// The greatest label that the figure can read: 1 for a binary measure.
    pub largest_label: f64,
    /// The estimated quantity.
    pub estimand: Estimand,
    /// The confidence of the interval.
    pub confidence: f64,
    /// How often the interval is read.
    pub looks: Looks,
}

impl PairsOptions {
    /// Returns the sum of squares added to those of each grade, so that a few equal labels do not seem certain: 0.15
    /// for labels of 0 and 1, 0.6 for grades from 0 to 3.
    pub(super) fn prior_squares(&self) -> f64 {
        if self.largest_label <= 1.0 { 0.15 } else { 0.6 * (self.largest_label / 3.0).powi(2) }
    }

    /// Returns the size of the frame, if all of it labelled would leave no uncertainty.
    pub(super) fn finite(&self, frame: usize) -> Option<usize> {
        (self.estimand == Estimand::TheseQueries).then_some(frame)
    }
}
