//! How sure Plackett-Luce scores are, with a prior that is fitted to the ballots.

use llull_core::{Ballot, Item};

use super::cholesky::{Factor, Symmetric};
use super::components::Components;
use super::error::RatingError;
use super::model::Model;
use super::newton::{Ended, maximise};
use super::pair_votes::PairVotes;
use super::plackett_luce::Choices;
use super::prior::Prior;
use super::standard_errors::Information;
use crate::random::Random;

/// The standard deviations of scores among which the ballots choose.
const SPREADS: [f64; 4] = [1.0, 2.0, 4.0, 8.0];

/// Scores that move by less than this no longer matter to an order.
const TOLERANCE: f64 = 1e-6;

/// The number of steps of Newton's method; ten are usual.
const MOST_STEPS: usize = 200;

/// Scores of Plackett-Luce with the uncertainty of their normal approximation.
///
/// The prior of a score is normal with mean 0 and a standard deviation of 1, 2, 4 or 8, whichever makes the ballots
/// likeliest (Laplace's approximation of the evidence). A judge that contradicts itself often has a low one, since
/// scores differ little compared with the noise of a choice.
#[derive(Debug, Clone)]
pub struct Posterior {
    /// The standard deviation of the prior: the spread of scores, in units of the judge's noise.
    pub spread: f64,
    /// The score of each item, more is better; 0 for an item that was compared with nothing.
    pub scores: Vec<f64>,
    /// The items that were compared, in the order of the precision matrix.
    rated: Vec<Item>,
    /// The factor of the precision, minus the Hessian of the log-posterior.
    precision: Factor,
}

/// The most compared items whose uncertainty is computed: its time grows with their third power, and is seconds here.
const MOST_RATED: usize = 1_000;

/// Returns the scores of `items` items with their uncertainty.
///
/// # Errors
/// Returns an error if a ballot is invalid, if more than 1,000 items were compared, or if scores were not found.
///
/// ```
/// use llull_core::{Ballot, Item};
/// use llull_rank::ratings::posterior;
///
/// let ballots = vec![Ballot::of([[0], [1], [2]]); 5];
/// let found = posterior(3, &ballots)?;
/// assert!(found.scores[0] > found.scores[1]);
/// assert!(found.above(Item(0)).get(2) > Some(&0.95));
/// # Ok::<(), llull_rank::ratings::RatingError>(())
/// ```
pub fn posterior(items: usize, ballots: &[Ballot]) -> Result<Posterior, RatingError> {
    let model = Model::PlackettLuce;
    let pairs = PairVotes::count(items, ballots)?;
    let components = Components::of(&pairs);
    let count = pairs.rated.len();
    if count > MOST_RATED {
        return Err(RatingError::Problem(format!(
            "{count} items were compared, and their uncertainty is computed for at most {MOST_RATED}"
        )));
    }
    let mut at = vec![0.0; count];
    let mut best: Option<(f64, Posterior)> = None;
    let mut failed = RatingError::OutOfRange { model };
    for spread in SPREADS {
        let mut choices = Choices::new(&pairs, &components, ballots, Prior::Normal(spread));
        if let Ended::Stuck { iterations, change } = maximise(&mut choices, &mut at, TOLERANCE, MOST_STEPS) {
            failed = RatingError::NotConverged { model, iterations, change };
            at.fill(0.0);
            continue;
        }
        let mut precision = Symmetric::zeros(count);
        choices.each(|row, column, value| precision.add(row, column, value));
        let Some(precision) = precision.cholesky() else { continue };
        let square: f64 = at.iter().map(|score| score * score).sum();
        let evidence = choices.log_likelihood(&at)
            - square / (2.0 * spread * spread)
            - count as f64 * libm::log(spread)
            - precision.log_determinant() / 2.0;
        if best.as_ref().is_none_or(|(most, _)| evidence > *most) {
            let mut scores = vec![0.0; items];
            for (item, score) in pairs.rated.iter().zip(&at) {
                scores[item.index()] = *score;
            }
            best = Some((evidence, Posterior { spread, scores, rated: pairs.rated.clone(), precision }));
        }
    }
    best.map(|(_, found)| found).ok_or(failed)
}

/// Returns the probability that two answers put two items in different orders, for items drawn from a pool whose scores
/// have this [spread](Posterior::spread).
///
/// Their difference d is normal with variance 2 spread^2, and an answer puts the better one first with probability
/// 1 / (1 + exp(-d)).
///
/// ```
/// use llull_rank::ratings::flip_rate;
///
/// assert!((flip_rate(0.0) - 0.5).abs() < 1e-9); // chance
/// assert!(flip_rate(8.0) < 0.1 && flip_rate(1.0) > 0.3);
/// ```
pub fn flip_rate(spread: f64) -> f64 {
    // Sums over equal steps of a smooth function that vanishes at both ends are exact to rounding.
    const STEPS: i32 = 4_000;
    let (mut sum, mut weights) = (0.0, 0.0);
    for step in -STEPS..=STEPS {
        let deviation = 10.0 * f64::from(step) / f64::from(STEPS);
        let weight = libm::exp(-deviation * deviation / 2.0);
        let first = 1.0 / (1.0 + libm::exp(-std::f64::consts::SQRT_2 * spread * deviation));
        sum += weight * 2.0 * first * (1.0 - first);
        weights += weight;
    }
    sum / weights
}

impl Posterior {
    /// Returns the probability that an item is better than each item, by position; a half for itself.
    pub fn above(&self, item: Item) -> Vec<f64> {
        self.comparisons()(item)
    }

    /// Returns a function that returns [`above`](Self::above) and shares its costly part between calls.
    pub(crate) fn comparisons(&self) -> impl Fn(Item) -> Vec<f64> + use<'_> {
        let covariance = self.precision.inverse();
        let mut place = vec![None; self.scores.len()];
        for (at, rated) in self.rated.iter().enumerate() {
            place[rated.index()] = Some(at);
        }
        let prior = self.spread * self.spread;
        move |item| {
            let own = place.get(item.index()).copied().flatten();
            let variance = |at: Option<usize>| at.map_or(prior, |at| covariance.get(at, at));
            let score = self.scores.get(item.index()).copied().unwrap_or_default();
            let others = self.scores.iter().zip(&place).enumerate();
            let above = others.map(|(index, (other, &at))| {
                if index == item.index() {
                    return 0.5;
                }
                let shared = own.zip(at).map_or(0.0, |(own, at)| covariance.get(own, at));
                let spread = (variance(own) + variance(at) - 2.0 * shared).max(1e-12).sqrt();
                libm::erfc((other - score) / (spread * std::f64::consts::SQRT_2)) / 2.0
            });
            above.collect()
        }
    }

    /// Returns the mean share of `best` that is among the `best.len()` best items, over `draws` draws of all scores.
    pub(crate) fn certainty(&self, best: &[Item], draws: usize, random: &mut Random) -> f64 {
        if best.is_empty() || draws == 0 {
            return 1.0;
        }
        let mut found = 0usize;
        let mut noise = vec![0.0; self.rated.len()];
        let mut drawn = vec![0.0; self.scores.len()];
        let mut sorted = Vec::new();
        for _ in 0..draws {
            noise.iter_mut().for_each(|value| *value = random.normal());
            self.precision.solve_transposed(&mut noise);
            drawn.iter_mut().for_each(|value| *value = f64::NAN);
            for (item, value) in self.rated.iter().zip(&noise) {
                drawn[item.index()] = self.scores[item.index()] + value;
            }
            for value in drawn.iter_mut().filter(|value| value.is_nan()) {
                *value = self.spread * random.normal();
            }
            sorted.clone_from(&drawn);
            sorted.sort_unstable_by(|a, b| b.total_cmp(a));
            let Some(&last) = sorted.get(best.len() - 1).or(sorted.last()) else { continue };
            found += best.iter().filter(|item| drawn.get(item.index()).is_some_and(|it| *it >= last)).count();
        }
        found as f64 / (draws * best.len()) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strict(order: &[u32]) -> Ballot {
        Ballot::strict(order.iter().copied().map(Item))
    }

    // numpy 2.4.6, by the formulas of design/tournament-noise.md (core.py, fit_eb with model 1).
    #[test]
    fn spread_and_scores_are_the_reference_implementations() {
        let ballots = [strict(&[0, 1, 2, 3]), strict(&[1, 0, 2, 3]), strict(&[0, 2, 1, 4]), strict(&[3, 4])];
        let found = posterior(6, &ballots).unwrap();
        assert_eq!(found.spread, 2.0);
        for (score, expected) in
            found.scores.iter().zip([1.756395, 0.816652, 0.318896, -1.081121, -1.810821, 0.0])
        {
            assert!((score - expected).abs() < 1e-5, "{:?}", found.scores);
        }
        for (above, expected) in
            found.above(Item(0)).iter().zip([0.5, 0.802868, 0.905701, 0.980272, 0.984204, 0.773559])
        {
            assert!((above - expected).abs() < 1e-5, "{:?}", found.above(Item(0)));
        }
    }

    #[test]
    fn draws_follow_the_comparisons() {
        let ballots = vec![strict(&[0, 1, 2]), strict(&[1, 0, 2]), strict(&[0, 1, 2])];
        let found = posterior(3, &ballots).unwrap();
        let certain = found.certainty(&[Item(0)], 4_000, &mut Random::new(1, []));
        let above = found.above(Item(0));
        assert!(
            certain <= above[1] + 0.03 && certain >= above[1] + above[2] - 1.0 - 0.03,
            "{certain} {above:?}"
        );
        assert_eq!(found.certainty(&[0, 1, 2].map(Item), 10, &mut Random::new(1, [])), 1.0);
    }
}
