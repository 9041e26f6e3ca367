//! The sums behind coefficients that pool the raters.
//!
//! These are Krippendorff's alpha, Fleiss' kappa, Gwet's AC1 and AC2.

use super::weights::DisagreementWeights;

/// Ratings, as sums over the rated units. A unit with m ratings has m (m - 1) ordered pairs of ratings.
///
/// Every sum is one over units, so the sums of a resample are sums of these sums.
pub(super) struct Pooled<'a> {
    /// The grades on a line, ascending, all different.
    pub(super) places: &'a [f64],
    /// The numbers of the two grades that meet in each cell of the next two sums.
    pub(super) cells: &'a [(usize, usize)],
    /// For each cell its ordered pairs, in both directions, each counted 1 / (m - 1): Krippendorff's coincidences.
    pub(super) coincidences: &'a [f64],
    /// The same, each counted 1 / (m (m - 1)): a unit with two ratings or more counts 1 over all cells.
    pub(super) shares: &'a [f64],
    /// For each grade its share of a unit's ratings, summed over all units with a rating.
    pub(super) ratings: &'a [f64],
    /// The number of units with a rating.
    pub(super) units: f64,
    /// The number of units with two ratings or more.
    pub(super) paired: f64,
}

/// A disagreement expected by chance below this is rounding: one differing rating among 10^9 would give more.
pub(super) const NOTHING: f64 = 1e-10;

impl Pooled<'_> {
    /// Returns the weighted disagreement of cells with the weights `sums`.
    pub(super) fn disagreement(&self, sums: &[f64], weights: DisagreementWeights, places: &[f64]) -> f64 {
        let cells = self.cells.iter().zip(sums);
        cells.map(|((a, b), sum)| sum * weights.between(places[*a], places[*b])).sum()
    }

    /// Returns the share of each grade, every unit counting the same; `None` without a unit that was rated twice.
    pub(super) fn prevalence(&self) -> Option<Vec<f64>> {
        (self.paired > 0.5).then(|| self.ratings.iter().map(|share| share / self.units).collect())
    }
}
