//! The settings of the rating models.

use super::error::RatingError;
use super::prior::Prior;

/// The settings of Elo. The defaults are those of evalica 0.4.2.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EloOptions {
    /// The rating that an item starts with: 1000.
    pub initial: f64,
    /// At a difference of `scale`, the stronger item is expected to win `base` times as often: 10; more than
    /// 1.
    pub base: f64,
    /// The difference of ratings that corresponds to `base`: 400.
    pub scale: f64,
    /// The most that one comparison moves a rating: 30.
    pub k: f64,
}

impl Default for EloOptions {
    fn default() -> Self {
        Self { initial: 1000.0, base: 10.0, scale: 400.0, k: 30.0 }
    }
}

/// The settings of all models. Each model reads those that concern it.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingOptions {
    /// Bradley-Terry, judge-aware, Plackett-Luce: the prior of the scores.
    pub prior: Prior,
    /// Judge-aware: the prior of a judge's discrimination is `exp(equal_judges (ln g - g))`, Gamma's, greatest at 1.
    /// Positive; 1.
    pub equal_judges: f64,
    /// Thurstone: the prior of a score is normal with mean 0 and variance 1 / `precision` (`alpha` of choix's
    /// `ep_pairwise`). Positive. The default of 1 is, on Thurstone's scale, about as wide as
    /// `Prior::Logistic(1.0)` on that of Bradley-Terry.
    pub precision: f64,
    /// Elo.
    pub elo: EloOptions,
    /// Whether standard errors are computed, for models that have them. They take a dense matrix of the
    /// largest component: with 1,000 items some tenths of a second and 8 MB. Thurstone always computes them.
    pub standard_errors: bool,
    /// The iteration ends when it changes no value by more than this.
    ///
    /// If a prior of 0.00001 is all that holds items against votes that weigh 100,000, rounding moves scores
    /// by more than the default of 1e-10. The iteration then ends when changes, all below the square root of
    /// this, no longer shrink.
    pub tolerance: f64,
    /// The number of iterations after which a model fails with [`RatingError::NotConverged`].
    pub max_iterations: usize,
}

impl Default for RatingOptions {
    fn default() -> Self {
        Self {
            prior: Prior::default(),
            equal_judges: 1.0,
            precision: 1.0,
            elo: EloOptions::default(),
            standard_errors: true,
            tolerance: 1e-10,
            max_iterations: 500,
        }
    }
}

impl RatingOptions {
    /// Checks every option.
    ///
    /// # Errors
    /// Returns an error for the first option that is outside its range.
    pub(super) fn check(&self) -> Result<(), RatingError> {
        let positive = |option, value: f64| check(option, value, value > 0.0, "positive and finite");
        let prior = match self.prior {
            Prior::None => 1.0,
            Prior::Logistic(strength) | Prior::Choix(strength) | Prior::Normal(strength) => strength,
        };
        positive("the strength of the prior", prior)?;
        positive("equal_judges", self.equal_judges)?;
        positive("precision", self.precision)?;
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
        Err(RatingError::Problem(format!("{option} is {value}, but it must be {expected}")))
    }
}
