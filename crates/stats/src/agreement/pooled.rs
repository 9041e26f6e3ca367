//! Coefficients that pool the raters: alpha, pi and Fleiss' kappa, AC1 and AC2.

use serde::Serialize;

use super::DisagreementWeights;

/// How grades differ, to Krippendorff's alpha.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Two grades are the same or not.
    Nominal,
    /// By how many of the ratings given lie between the two: only the order of the grades counts.
    Ordinal,
    /// By the square of their difference.
    Interval,
}

/// PanelRatings, as sums over the units that were rated. A unit with m ratings has m (m - 1) ordered pairs of these.
///
/// Every sum is one over units, so the sums of a resample are sums of these sums.
pub(super) struct Pooled<'a> {
    /// The grades on a line, ascending, all different.
    pub(super) places: &'a [f64],
    /// Which two grades meet in each cell of the two sums below, by their numbers.
    pub(super) cells: &'a [(usize, usize)],
    /// A cell's ordered pairs, in both directions, each counted 1 / (m - 1): Krippendorff's coincidences.
    pub(super) coincidences: &'a [f64],
    /// The same, each counted 1 / (m (m - 1)): a unit with two ratings or more counts 1 over all cells.
    pub(super) shares: &'a [f64],
    /// For each grade, the share of a unit's ratings, summed over all units with a rating.
    pub(super) ratings: &'a [f64],
    /// Units with a rating.
    pub(super) units: f64,
    /// Units with two ratings or more.
    pub(super) paired: f64,
}

/// Below this a disagreement expected by chance is rounding: one differing rating among 10^9 would give more.
const NOTHING: f64 = 1e-10;

impl Pooled<'_> {
    /// Krippendorff's alpha; `None` without two ratings of one unit, or when all such ratings are one grade.
    pub(super) fn alpha(&self, level: Level) -> Option<f64> {
        let mut given = vec![0.0; self.places.len()];
        for ((a, b), coincidence) in self.cells.iter().zip(self.coincidences) {
            given[*a] += coincidence / 2.0;
            given[*b] += coincidence / 2.0;
        }
        // Each is a number of ratings, but for rounding.
        if given.iter().filter(|given| **given > 0.5).count() < 2 {
            return None;
        }
        match level {
            Level::Nominal => self.alpha_at(DisagreementWeights::None, self.places, &given),
            Level::Interval => self.alpha_at(DisagreementWeights::Quadratic, self.places, &given),
            Level::Ordinal => {
                // Krippendorff's ordinal difference, the ratings between two grades with half of those at each, is the
                // distance between the middles of the grades when all ratings stand in a row.
                let mut before = 0.0;
                let middles: Vec<f64> = given
                    .iter()
                    .map(|given| {
                        let middle = before + given / 2.0;
                        before += given;
                        middle
                    })
                    .collect();
                self.alpha_at(DisagreementWeights::Quadratic, &middles, &given)
            }
        }
    }

    fn alpha_at(&self, weights: DisagreementWeights, places: &[f64], given: &[f64]) -> Option<f64> {
        let all: f64 = given.iter().sum();
        let expected = weights.total(places, given, given) / (all - 1.0);
        let observed = self.disagreement(self.coincidences, weights, places);
        (expected > 0.0).then(|| 1.0 - observed / expected)
    }

    fn disagreement(&self, sums: &[f64], weights: DisagreementWeights, places: &[f64]) -> f64 {
        let cells = self.cells.iter().zip(sums);
        cells.map(|((a, b), sum)| sum * weights.between(places[*a], places[*b])).sum()
    }

    /// How often each grade is given, a unit as much as another; `None` without a unit rated twice.
    fn prevalence(&self) -> Option<Vec<f64>> {
        (self.paired > 0.5).then(|| self.ratings.iter().map(|share| share / self.units).collect())
    }

    /// Fleiss' kappa, which with two raters is Scott's pi; `None` without a unit rated twice, or when all is one grade.
    pub(super) fn fleiss(&self) -> Option<f64> {
        let prevalence = self.prevalence()?;
        let expected = DisagreementWeights::None.total(self.places, &prevalence, &prevalence);
        let observed = self.disagreement(self.shares, DisagreementWeights::None, self.places) / self.paired;
        (expected > NOTHING).then(|| 1.0 - observed / expected)
    }

    /// Gwet's AC1 without weights, AC2 with; `None` without a unit rated twice, or on a scale of one grade.
    pub(super) fn gwet(&self, weights: DisagreementWeights) -> Option<f64> {
        let prevalence = self.prevalence()?;
        let grades = self.places.len() as f64;
        let widest = weights.between(*self.places.first()?, *self.places.last()?);
        if widest == 0.0 {
            return None;
        }
        let ones = vec![1.0; self.places.len()];
        let weight = grades * grades - weights.total(self.places, &ones, &ones) / widest;
        let hard: f64 = prevalence.iter().map(|share| share * (1.0 - share)).sum();
        let by_chance = weight * hard / (grades * (grades - 1.0));
        let observed = 1.0 - self.disagreement(self.shares, weights, self.places) / widest / self.paired;
        (by_chance < 1.0 - NOTHING).then(|| (observed - by_chance) / (1.0 - by_chance))
    }
}
