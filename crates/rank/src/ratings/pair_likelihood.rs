//! The likelihood that Bradley-Terry, Newman and Davidson share.

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

/// Scores of the rated items, with what else was fitted.
struct PairFit {
    scores: Vec<f64>,
    /// Davidson's tie parameter, if the model has one.
    tie: Option<f64>,
    se: Option<Vec<f64>>,
    iterations: usize,
}

/// Returns ratings under a model of this likelihood. With `ties`, a tie is an outcome of its own; otherwise
/// it is half a win for each side.
pub(super) fn rate(
    model: Model,
    ties: bool,
    items: usize,
    ballots: &[Ballot],
    options: &RatingOptions,
) -> Result<Ratings, RatingError> {
    options.check()?;
    let pairs = PairVotes::count(items, ballots)?;
    let components = Components::of(&pairs);
    let PairFit { scores, tie, se, iterations } = fit_pairs(model, &pairs, &components, ties, options)?;
    Ok(Ratings::new(&pairs, &components, &scores, se.as_deref(), tie, iterations))
}

/// Maximises the likelihood. With `ties`, a tie is an outcome of its own; otherwise it is half a win for each
/// side.
fn fit_pairs(
    model: Model,
    pairs: &PairVotes,
    components: &Components,
    ties: bool,
    options: &RatingOptions,
) -> Result<PairFit, RatingError> {
    let count = pairs.rated.len();
    if options.prior == Prior::None {
        need_maximum(pairs, components, model)?;
    }
    let tied: f64 = pairs.pairs.iter().map(|pair| pair.ties).sum();
    let decided = pairs.pairs.iter().any(|pair| pair.first_wins + pair.second_wins > 0.0);
    if ties && !decided {
        // The likelihood grows with the tie parameter without bound, towards equal scores.
        let tie = if tied > 0.0 { f64::INFINITY } else { 0.0 };
        return Ok(PairFit { scores: vec![0.0; count], tie: Some(tie), se: None, iterations: 0 });
    }
    // Without a tie the parameter is 0, and the model is Bradley-Terry.
    let has_parameter = ties && tied > 0.0;
    let mut likelihood = Paired::new(pairs, components, has_parameter, options.prior);
    let mut at = vec![0.0; count + usize::from(has_parameter)];
    let (iterations, se) = fit(model, &mut likelihood, &mut at, components, options)?;
    let tie = ties.then(|| if has_parameter { libm::exp(at[count]) } else { 0.0 });
    at.truncate(count);
    components.centre(&mut at);
    Ok(PairFit { scores: at, tie, se, iterations })
}

/// The penalised log-likelihood as a function of the scores s and, with a tie parameter, of its logarithm u.
///
/// Davidson, On extending the Bradley-Terry model to accommodate ties in paired comparison experiments, JASA
/// 65(329), 1970: first wins, second wins and tie are as exp(d/2) : exp(-d/2) : exp(u) with d the first score
/// less the second. Without ties that is Bradley-Terry. A logarithm of a sum of exponentials of linear
/// functions is convex, so the log-likelihood is concave in s and u together.
struct Paired<'a> {
    pairs: &'a PairVotes,
    components: &'a Components,
    ties: bool,
    prior: Prior,
    /// The items of each pair, as small integers for the sake of [`Concave::curve`], which takes most of the
    /// time.
    ends: Vec<[u32; 2]>,
    /// For each pair, minus the second derivative of its term by d.
    both: Vec<f64>,
    /// For each pair, minus the mixed derivative of its term by d and u.
    mixed: Vec<f64>,
    /// Minus the second derivative of all terms by u.
    twice: f64,
    /// For each item, minus the second derivative of its prior.
    prior_curvature: Vec<f64>,
}

impl<'a> Paired<'a> {
    fn new(pairs: &'a PairVotes, components: &'a Components, ties: bool, prior: Prior) -> Self {
        let count = pairs.pairs.len();
        Self {
            pairs,
            components,
            ties,
            prior,
            ends: pairs.pairs.iter().map(|pair| [pair.first as u32, pair.second as u32]).collect(),
            both: vec![0.0; count],
            mixed: vec![0.0; if ties { count } else { 0 }],
            twice: 0.0,
            prior_curvature: vec![0.0; pairs.rated.len()],
        }
    }

    /// Returns the items of each pair with its `both`.
    fn each_pair(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        self.ends
            .iter()
            .zip(&self.both)
            .map(|(&[first, second], &both)| (first as usize, second as usize, both))
    }
}

impl Concave for Paired<'_> {
    fn look(&mut self, at: &[f64], gradient: &mut [f64]) {
        let count = self.prior_curvature.len();
        self.prior.look(self.components, &at[..count], &mut gradient[..count], &mut self.prior_curvature);
        let log_tie = if self.ties { at[count] } else { f64::NEG_INFINITY };
        let mut tie_gradient = 0.0;
        self.twice = 0.0;
        for (index, pair) in self.pairs.pairs.iter().enumerate() {
            let total = pair.total();
            let difference = at[pair.first] - at[pair.second];
            let half = difference.abs() / 2.0;
            // All three over exp(half), the largest except for the tie's.
            let weaker = libm::exp(-2.0 * half);
            let tie = if self.ties { libm::exp(log_tie - half) } else { 0.0 };
            let share = 1.0 / (1.0 + weaker + tie);
            // The mean of d's factor (1/2, -1/2 or 0) and its variance.
            let mean = (0.5 * (1.0 - weaker) * share).copysign(difference);
            let variance = 0.25 * (1.0 + weaker) * share - mean * mean;
            let slope = (pair.first_wins - pair.second_wins) / 2.0 - total * mean;
            gradient[pair.first] += slope;
            gradient[pair.second] -= slope;
            self.both[index] = total * variance;
            if self.ties {
                let tied = tie * share;
                tie_gradient += pair.ties - total * tied;
                self.mixed[index] = -total * mean * tied;
                self.twice += total * tied * (1.0 - tied);
            }
        }
        if self.ties {
            gradient[count] = tie_gradient;
        }
    }

    fn curve(&self, direction: &[f64], product: &mut [f64]) {
        let count = self.prior_curvature.len();
        for ((product, direction), prior) in product.iter_mut().zip(direction).zip(&self.prior_curvature) {
            *product = direction * prior;
        }
        for (first, second, both) in self.each_pair() {
            let change = both * (direction[first] - direction[second]);
            product[first] += change;
            product[second] -= change;
        }
        if self.ties {
            let by_tie = direction[count];
            let mut tie = self.twice * by_tie;
            for ((first, second, _), mixed) in self.each_pair().zip(&self.mixed) {
                product[first] += mixed * by_tie;
                product[second] -= mixed * by_tie;
                tie += mixed * (direction[first] - direction[second]);
            }
            product[count] = tie;
        }
    }

    fn diagonal(&self, diagonal: &mut [f64]) {
        let count = self.prior_curvature.len();
        diagonal[..count].copy_from_slice(&self.prior_curvature);
        for (first, second, both) in self.each_pair() {
            diagonal[first] += both;
            diagonal[second] += both;
        }
        if self.ties {
            diagonal[count] = self.twice;
        }
    }

    /// Only differences of scores count.
    fn essence(&self, step: &mut [f64]) {
        self.components.centre(&mut step[..self.prior_curvature.len()]);
    }
}

impl Information for Paired<'_> {
    fn prior(&self) -> &[f64] {
        &self.prior_curvature
    }

    fn size(&self) -> usize {
        self.prior_curvature.len() + usize::from(self.ties)
    }

    fn each(&self, mut add: impl FnMut(usize, usize, f64)) {
        let count = self.prior_curvature.len();
        for (item, &prior) in self.prior_curvature.iter().enumerate() {
            add(item, item, prior);
        }
        for (first, second, both) in self.each_pair() {
            add(first, first, both);
            add(second, second, both);
            add(second, first, -both);
        }
        if self.ties {
            for ((first, second, _), &mixed) in self.each_pair().zip(&self.mixed) {
                add(count, first, mixed);
                add(count, second, -mixed);
            }
            add(count, count, self.twice);
        }
    }
}
