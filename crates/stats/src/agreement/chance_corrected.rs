//! Coefficients that pool the raters of a panel: alpha, Fleiss' kappa, AC1 and AC2.

use serde::Serialize;

use super::figures::{Ac2ByWeights, ByLevel};
use super::grades::DisagreementWeights;
use super::panel::PanelRatings;

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
const NOTHING: f64 = 1e-10;

impl Pooled<'_> {
    /// Returns the weighted disagreement of cells with the weights `sums`.
    pub(super) fn disagreement(&self, sums: &[f64], weights: DisagreementWeights, places: &[f64]) -> f64 {
        let cells = self.cells.iter().zip(sums);
        cells.map(|((a, b), sum)| sum * weights.between(places[*a], places[*b])).sum()
    }

    /// Returns the share of each grade, every unit counting the same; `None` without a unit that was rated twice.
    fn prevalence(&self) -> Option<Vec<f64>> {
        (self.paired > 0.5).then(|| self.ratings.iter().map(|share| share / self.units).collect())
    }
}

/// The level of measurement for Krippendorff's alpha: how grades differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Two grades are the same or not.
    Nominal,
    /// By how many of the given ratings lie between the two: only the order of the grades counts.
    Ordinal,
    /// By the square of their difference.
    Interval,
}

/// Returns Krippendorff's alpha of any number of raters with any gaps: 1 for full agreement, 0 for that of chance,
/// below 0 for less.
///
/// 1 - observed / expected disagreement, where the expectation is that of all ratings in random order; units with a
/// single rating have no effect. Krippendorff, Content Analysis: An Introduction to Its Methodology, 4th edition, 2018,
/// chapter 12; the ordinal difference is that of his Computing Krippendorff's Alpha-Reliability, 2011.
///
/// `None` if no unit has two ratings, or all ratings of such units are the same grade: then nothing shows that the
/// raters distinguish grades.
pub fn krippendorff_alpha(ratings: &PanelRatings, level: Level) -> Option<f64> {
    ratings.pooled(&ratings.total()).alpha(level)
}

impl Pooled<'_> {
    /// Returns Krippendorff's alpha on each level.
    pub(super) fn alpha_by_level(&self) -> ByLevel<Option<f64>> {
        ByLevel {
            nominal: self.alpha(Level::Nominal),
            ordinal: self.alpha(Level::Ordinal),
            interval: self.alpha(Level::Interval),
        }
    }

    fn alpha(&self, level: Level) -> Option<f64> {
        let mut given = vec![0.0; self.places.len()];
        for ((a, b), coincidence) in self.cells.iter().zip(self.coincidences) {
            given[*a] += coincidence / 2.0;
            given[*b] += coincidence / 2.0;
        }
        // Each is a whole number of ratings, except for rounding.
        if given.iter().filter(|given| **given > 0.5).count() < 2 {
            return None;
        }
        match level {
            Level::Nominal => self.alpha_at(DisagreementWeights::None, self.places, &given),
            Level::Interval => self.alpha_at(DisagreementWeights::Quadratic, self.places, &given),
            Level::Ordinal => {
                // Krippendorff's ordinal difference is the number of ratings between two grades, plus half of those at
                // each. That is the distance between the middles of the grades if all ratings stand in a row.
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
}

/// Returns Fleiss' kappa: the agreement of pairs of raters beyond chance, where chance is the share of each grade among
/// all raters; at most 1. Without gaps it is at least -1. With many units of one rating it may be far below, since
/// those count in the chance agreement and not in the observed one.
///
/// Fleiss, Measuring nominal scale agreement among many raters, Psychological Bulletin 76(5), 1971. With gaps as in
/// Gwet, Handbook of Inter-Rater Reliability, 4th edition, 2014, chapter 2: agreement is over the units with two
/// ratings or more, prevalence over all units, each counting the same (as in irrCAC; without gaps this is Fleiss').
///
/// `None` if no unit has two ratings, or only one grade was ever given.
pub fn fleiss_kappa(ratings: &PanelRatings) -> Option<f64> {
    ratings.pooled(&ratings.total()).fleiss()
}

impl Pooled<'_> {
    /// Returns Fleiss' kappa, which for two raters is Scott's pi.
    pub(super) fn fleiss(&self) -> Option<f64> {
        let prevalence = self.prevalence()?;
        let expected = DisagreementWeights::None.total(self.places, &prevalence, &prevalence);
        let observed = self.disagreement(self.shares, DisagreementWeights::None, self.places) / self.paired;
        (expected > NOTHING).then(|| 1.0 - observed / expected)
    }
}

/// Returns Gwet's AC1 (without weights) or AC2 (with weights), which stay steady if nearly everything has one grade,
/// where kappa does not; at most 1.
///
/// Gwet, Computing inter-rater reliability and its variance in the presence of high agreement, British Journal of
/// Mathematical and Statistical Psychology 61(1), 2008; weights and gaps: Handbook of Inter-Rater Reliability, 4th
/// edition, 2014. The scale is the grades that occur (as in irrCAC), and weights follow the distance of the grades
/// themselves.
///
/// `None` if no unit has two ratings, or only one grade was ever given.
pub fn gwet_ac(ratings: &PanelRatings, weights: DisagreementWeights) -> Option<f64> {
    ratings.pooled(&ratings.total()).gwet(weights)
}

impl Pooled<'_> {
    /// Returns Gwet's AC1.
    pub(super) fn ac1(&self) -> Option<f64> {
        self.gwet(DisagreementWeights::None)
    }

    /// Returns Gwet's AC2 by each weight.
    pub(super) fn ac2(&self) -> Ac2ByWeights<Option<f64>> {
        Ac2ByWeights {
            linear: self.gwet(DisagreementWeights::Linear),
            quadratic: self.gwet(DisagreementWeights::Quadratic),
        }
    }

    fn gwet(&self, weights: DisagreementWeights) -> Option<f64> {
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
