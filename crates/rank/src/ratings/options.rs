//! What a rating assumes, and how exact it is.

use super::error::RatingError;
use super::prior::Prior;

/// How Elo counts. The defaults are those of evalica 0.4.2.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EloOptions {
    /// The rating that an item starts with: 1000.
    pub initial: f64,
    /// With `scale` apart, the stronger is expected to win `base` times as often: 10, more than 1.
    pub base: f64,
    /// The difference of ratings that `base` belongs to: 400.
    pub scale: f64,
    /// The most that one comparison moves a rating: 30.
    pub k: f64,
}

impl Default for EloOptions {
    fn default() -> Self {
        Self { initial: 1000.0, base: 10.0, scale: 400.0, k: 30.0 }
    }
}

/// Everything that a rating depends on besides the ballots. A model reads what concerns it.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingOptions {
    /// Bradley-Terry, Newman, Davidson, Plackett-Luce: what is assumed beforehand.
    pub prior: Prior,
    /// Thurstone: the prior of a score is normal with mean 0 and variance 1 / `precision` (`alpha` of choix's `ep_pairwise`). Positive; 1,
    /// which on Thurstone's scale is about as wide as `Prior::Logistic(1.0)` is on that of Bradley-Terry.
    pub precision: f64,
    /// Rank centrality: how many wins each side of a compared pair is given beforehand. 0 or more; 1 as in Negahban, Oh and Shah.
    pub pseudo_wins: f64,
    /// Elo.
    pub elo: EloOptions,
    /// Whether standard errors are computed, where the model has them. They take a dense matrix of the largest component: with 1,000
    /// items some tenths of a second and 8 MB. Thurstone has them anyway.
    pub standard_errors: bool,
    /// An iteration that changes no value by more than this is the last. (Where a prior of 0.00001 is all that holds items against votes that
    /// weigh 100,000, rounding moves scores by more than the usual 1e-10; then the last is the one from which on changes, all below the
    /// root of this, no longer shrink.)
    pub tolerance: f64,
    /// After so many iterations the model gives up with [`RatingError::NotConverged`].
    pub max_iterations: usize,
}

impl Default for RatingOptions {
    fn default() -> Self {
        Self {
            prior: Prior::default(),
            precision: 1.0,
            pseudo_wins: 1.0,
            elo: EloOptions::default(),
            standard_errors: true,
            tolerance: 1e-10,
            max_iterations: 500,
        }
    }
}

impl RatingOptions {
    /// An error for the first option that is outside its range.
    pub(super) fn check(&self) -> Result<(), RatingError> {
        let positive = |option, value: f64| check(option, value, value > 0.0, "positive and finite");
        let prior = match self.prior {
            Prior::None => 1.0,
            Prior::Logistic(strength) | Prior::Choix(strength) => strength,
        };
        positive("the strength of the prior", prior)?;
        positive("precision", self.precision)?;
        check("pseudo_wins", self.pseudo_wins, self.pseudo_wins >= 0.0, "0 or more and finite")?;
        check("elo.initial", self.elo.initial, true, "finite")?;
        check("elo.base", self.elo.base, self.elo.base > 1.0, "more than 1 and finite")?;
        positive("elo.scale", self.elo.scale)?;
        positive("elo.k", self.elo.k)?;
        positive("tolerance", self.tolerance)
    }
}

fn check(option: &'static str, value: f64, allowed: bool, expected: &'static str) -> Result<(), RatingError> {
    if allowed && value.is_finite() {
        Ok(())
    } else {
        Err(RatingError::BadOption { option, value, expected })
    }
}
