//! Thurstone's case V: strengths whose differences have normal errors.

use llull_core::Ballot;

use super::cholesky::Symmetric;
use super::components::Components;
use super::error::RatingError;
use super::model::Model;
use super::options::RatingOptions;
use super::pair_votes::PairVotes;
use super::result::Ratings;

/// Thurstone's case V: the probability that i beats j is `Phi(s_i - s_j)`, with Phi the standard normal
/// distribution function.
///
/// Thurstone, A law of comparative judgment, Psychological Review 34(4), 1927, in the scale in which the
/// difference of two impressions has variance 1. A tie is half a win for each side. The prior of a score is
/// normal with mean 0 and variance 1 / [`RatingOptions::precision`]; the score is the mean of its posterior
/// and the standard error its standard deviation, both by expectation propagation (Chu and Ghahramani,
/// Extensions of Gaussian processes for ranking, NIPS workshop on learning to rank, 2005), as in
/// `choix.ep_pairwise` with `model="probit"`. Differences are normal deviates: 1 means 84 %. The mean of each
/// component is 0.
///
/// All factors are updated at the same time, from one inverse of the precision matrix, with a step that is
/// halved whenever the change grows. This takes as long as a handful of such inverses; 1,000 items take
/// seconds. w equal votes are w equal factors. A fraction of a vote has that fraction of the natural
/// parameters of a whole one.
///
/// # Errors
/// Returns an error if a ballot or an option is invalid, and [`RatingError::NotConverged`] if the iterations
/// run out.
pub fn thurstone(items: usize, ballots: &[Ballot], options: &RatingOptions) -> Result<Ratings, RatingError> {
    options.check()?;
    let pairs = PairVotes::count(items, ballots)?;
    let components = Components::of(&pairs);
    let places = components.places();
    let mut factors: Vec<Vec<Factor>> = components.members.iter().map(|_| Vec::new()).collect();
    for pair in &pairs.pairs {
        let ((component, first), (_, second)) = (places[pair.first], places[pair.second]);
        let votes = [
            (first, second, pair.first_wins + pair.ties / 2.0),
            (second, first, pair.second_wins + pair.ties / 2.0),
        ];
        for (winner, loser, votes) in votes.into_iter().filter(|(_, _, votes)| *votes > 0.0) {
            factors[component].push(Factor { winner, loser, votes, precision: 0.0, shift: 0.0 });
        }
    }
    let (mut scores, mut se) = (vec![0.0; pairs.rated.len()], vec![0.0; pairs.rated.len()]);
    let mut iterations = 0;
    for (factors, members) in factors.iter_mut().zip(&components.members) {
        let (posterior, took) = propagate(factors, members.len(), options)?;
        iterations = iterations.max(took);
        for (at, &member) in members.iter().enumerate() {
            scores[member] = posterior.mean[at];
            se[member] = posterior.covariance.get(at, at).max(0.0).sqrt();
        }
    }
    Ok(Ratings::new(&pairs, &components, &scores, Some(&se), iterations))
}

/// Votes for one item over another, with the normal approximation of one vote: exp(shift d - precision d^2 /
/// 2) with d the difference of their scores.
struct Factor {
    winner: usize,
    loser: usize,
    votes: f64,
    precision: f64,
    shift: f64,
}

/// The normal approximation of the distribution of the scores.
struct Posterior {
    mean: Vec<f64>,
    covariance: Symmetric,
}

/// Runs expectation propagation until no factor changes.
fn propagate(
    factors: &mut [Factor],
    items: usize,
    options: &RatingOptions,
) -> Result<(Posterior, usize), RatingError> {
    let model = Model::Thurstone;
    let (mut step, mut before, mut change) = (1.0, f64::INFINITY, f64::INFINITY);
    for iterations in 1..=options.max_iterations {
        let posterior =
            posterior(factors, items, options.precision).ok_or(RatingError::OutOfRange { model })?;
        // The posterior belongs to factors that the last round changed by so little.
        if change <= options.tolerance {
            return Ok((posterior, iterations));
        }
        change = 0.0;
        for factor in factors.iter_mut() {
            let (precision, shift) = factor.matched(&posterior);
            change = change.max((precision - factor.precision).abs()).max((shift - factor.shift).abs());
            factor.precision += step * (precision - factor.precision);
            factor.shift += step * (shift - factor.shift);
        }
        if !change.is_finite() {
            return Err(RatingError::NotConverged { model, iterations, change });
        }
        if change > before {
            step = f64::max(step / 2.0, 1.0 / 64.0);
        }
        before = change;
    }
    Err(RatingError::NotConverged { model, iterations: options.max_iterations, change })
}

/// Returns the product of prior and factors.
fn posterior(factors: &[Factor], items: usize, prior: f64) -> Option<Posterior> {
    let mut precision = Symmetric::zeros(items);
    let mut shift = vec![0.0; items];
    for item in 0..items {
        precision.add(item, item, prior);
    }
    for factor in factors {
        let (winner, loser) = (factor.winner, factor.loser);
        precision.add(winner, winner, factor.votes * factor.precision);
        precision.add(loser, loser, factor.votes * factor.precision);
        precision.add(winner, loser, -factor.votes * factor.precision);
        shift[winner] += factor.votes * factor.shift;
        shift[loser] -= factor.votes * factor.shift;
    }
    let covariance = precision.inverse()?;
    let mean = (0..items)
        .map(|row| shift.iter().enumerate().map(|(column, shift)| covariance.get(row, column) * shift).sum())
        .collect();
    Some(Posterior { mean, covariance })
}

impl Factor {
    /// Returns the precision and the shift with which one vote's approximation, times everything except that
    /// vote, has the mean and the variance that the vote itself gives.
    fn matched(&self, posterior: &Posterior) -> (f64, f64) {
        let covariance = &posterior.covariance;
        let variance = covariance.get(self.winner, self.winner) + covariance.get(self.loser, self.loser)
            - 2.0 * covariance.get(self.winner, self.loser);
        let mean = posterior.mean[self.winner] - posterior.mean[self.loser];
        let votes = self.votes.min(1.0);
        let precision = 1.0 / variance - votes * self.precision;
        let mean = (mean / variance - votes * self.shift) / precision;
        // The derivatives, by the mean, of the logarithm of the probability of the vote, with everything else
        // normal with this mean and precision.
        let spread = 1.0 + 1.0 / precision;
        let z = mean / spread.sqrt();
        let hazard = hazard(z);
        let slope = hazard / spread.sqrt();
        let curvature = hazard * (z + hazard) / spread;
        let left = 1.0 - curvature / precision;
        (curvature / left, (slope + mean * curvature) / left)
    }
}

/// Returns the standard normal density at z over the probability of less than z.
fn hazard(z: f64) -> f64 {
    if z > -25.0 {
        let density = libm::exp(-z * z / 2.0) / (2.0 * std::f64::consts::PI).sqrt();
        return density / (0.5 * libm::erfc(-z / std::f64::consts::SQRT_2));
    }
    // Laplace's continued fraction t + 1/(t + 2/(t + 3/(t + ...))), t = -z; at 25 ten terms are beyond double
    // precision.
    (1..=10).rev().fold(-z, |below, term| -z + f64::from(term) / below)
}

#[cfg(test)]
mod tests {
    use super::*;

    // mpmath 1.4.1 with 40 digits: npdf(z) / ncdf(z)
    #[test]
    fn hazard_is_mpmaths() {
        for (z, expected) in HAZARDS {
            assert!((hazard(z) / expected - 1.0).abs() < 1e-13, "{z}: {}", hazard(z));
        }
    }

    const HAZARDS: [(f64, f64); 9] = [
        (-300.0, 300.0033332592634),
        (-40.0, 40.02496884720726),
        (-25.001, 25.040871427278883),
        (-24.999, 25.03887459696183),
        (-8.0, 8.121368112236112),
        (-2.5, 2.822744797663907),
        (0.0, 0.7978845608028654),
        (1.5, 0.13878975045885075),
        (6.0, 6.075882855817676e-09),
    ];
}
