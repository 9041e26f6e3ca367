//! Krippendorff's alpha: agreement of any number of raters, with gaps.

use serde::Serialize;

use super::figures::ByLevel;
use super::panel_ratings::PanelRatings;
use super::pooled::Pooled;
use super::weights::DisagreementWeights;

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
