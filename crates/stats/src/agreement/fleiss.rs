//! Fleiss' kappa: agreement of many raters beyond chance.

use super::panel_ratings::PanelRatings;
use super::pooled::{NOTHING, Pooled};
use super::weights::DisagreementWeights;

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
