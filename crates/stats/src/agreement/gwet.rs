//! Gwet's AC1 and AC2, which stay steady with one dominant grade.

use super::figures::Ac2ByWeights;
use super::panel_ratings::PanelRatings;
use super::pooled::{NOTHING, Pooled};
use super::weights::DisagreementWeights;

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
