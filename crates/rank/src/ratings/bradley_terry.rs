//! Bradley-Terry ratings: strengths from wins and losses.

use llull_core::Ballot;

use super::components::Components;
use super::error::RatingError;
use super::fit::fit;
use super::maximum::need_maximum;
use super::model::Model;
use super::newton::Concave;
use super::options::RatingOptions;
use super::pair_votes::PairVotes;
use super::prior::Prior;
use super::result::Ratings;
use super::standard_errors::Information;

/// Bradley-Terry: the probability that i beats j is `1 / (1 + exp(s_j - s_i))`.
///
/// Bradley and Terry, Rank analysis of incomplete block designs, Biometrika 39(3/4), 1952. A tie is half a
/// win for each side. The scores maximise the likelihood times the prior ([`RatingOptions::prior`]); the
/// difference of two scores is the logarithm of the odds, and the mean of each component is 0. With
/// [`Prior::Choix`](super::Prior::Choix) the scores of a connected graph are those of `choix.ilsr_pairwise`.
///
/// The standard error is that of a score less the mean of its component, from the observed information of
/// likelihood and prior.
///
/// # Errors
/// Returns an error if a ballot or an option is invalid, [`RatingError::NoMaximum`] if there is no maximum
/// without a prior, and [`RatingError::NotConverged`] if the iterations run out.
pub fn bradley_terry(
    items: usize,
    ballots: &[Ballot],
    options: &RatingOptions,
) -> Result<Ratings, RatingError> {
    options.check()?;
    let model = Model::BradleyTerry;
    let pairs = PairVotes::count(items, ballots)?;
    let components = Components::of(&pairs);
    if options.prior == Prior::None {
        need_maximum(&pairs, &components, model)?;
    }
    let mut likelihood = Paired::new(&pairs, &components, options.prior);
    let mut scores = vec![0.0; pairs.rated.len()];
    let (iterations, se) = fit(model, &mut likelihood, &mut scores, &components, options)?;
    components.centre(&mut scores);
    Ok(Ratings::new(&pairs, &components, &scores, se.as_deref(), iterations))
}

/// The penalised log-likelihood as a function of the scores.
struct Paired<'a> {
    pairs: &'a PairVotes,
    components: &'a Components,
    prior: Prior,
    /// The items of each pair, as small integers for the sake of [`Concave::curve`], which takes most of the
    /// time.
    ends: Vec<[u32; 2]>,
    /// For each pair, minus the second derivative of its term by the difference of its scores.
    curvature: Vec<f64>,
    /// For each item, minus the second derivative of its prior.
    prior_curvature: Vec<f64>,
}

impl<'a> Paired<'a> {
    fn new(pairs: &'a PairVotes, components: &'a Components, prior: Prior) -> Self {
        Self {
            pairs,
            components,
            prior,
            ends: pairs.pairs.iter().map(|pair| [pair.first as u32, pair.second as u32]).collect(),
            curvature: vec![0.0; pairs.pairs.len()],
            prior_curvature: vec![0.0; pairs.rated.len()],
        }
    }

    /// Returns the items of each pair with its curvature.
    fn each_pair(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        self.ends
            .iter()
            .zip(&self.curvature)
            .map(|(&[first, second], &curvature)| (first as usize, second as usize, curvature))
    }
}

impl Concave for Paired<'_> {
    fn look(&mut self, at: &[f64], gradient: &mut [f64]) {
        self.prior.look(self.components, at, gradient, &mut self.prior_curvature);
        for (pair, curvature) in self.pairs.pairs.iter().zip(&mut self.curvature) {
            let total = pair.total();
            let difference = at[pair.first] - at[pair.second];
            let weaker = libm::exp(-difference.abs());
            let share = 1.0 / (1.0 + weaker);
            // A win counts 1/2 and a loss -1/2: the mean and the variance that the model expects.
            let mean = (0.5 * (1.0 - weaker) * share).copysign(difference);
            let variance = 0.25 * (1.0 + weaker) * share - mean * mean;
            let slope = (pair.first_wins - pair.second_wins) / 2.0 - total * mean;
            gradient[pair.first] += slope;
            gradient[pair.second] -= slope;
            *curvature = total * variance;
        }
    }

    fn curve(&self, direction: &[f64], product: &mut [f64]) {
        for ((product, direction), prior) in product.iter_mut().zip(direction).zip(&self.prior_curvature) {
            *product = direction * prior;
        }
        for (first, second, curvature) in self.each_pair() {
            let change = curvature * (direction[first] - direction[second]);
            product[first] += change;
            product[second] -= change;
        }
    }

    fn diagonal(&self, diagonal: &mut [f64]) {
        diagonal.copy_from_slice(&self.prior_curvature);
        for (first, second, curvature) in self.each_pair() {
            diagonal[first] += curvature;
            diagonal[second] += curvature;
        }
    }

    /// Only differences of scores count.
    fn essence(&self, step: &mut [f64]) {
        self.components.centre(step);
    }
}

impl Information for Paired<'_> {
    fn prior(&self) -> &[f64] {
        &self.prior_curvature
    }

    fn each(&self, mut add: impl FnMut(usize, usize, f64)) {
        for (item, &prior) in self.prior_curvature.iter().enumerate() {
            add(item, item, prior);
        }
        for (first, second, curvature) in self.each_pair() {
            add(first, first, curvature);
            add(second, second, curvature);
            add(second, first, -curvature);
        }
    }
}
