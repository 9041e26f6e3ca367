//! The likelihood of one topic's scores, given how well each judge discriminates.

use super::super::newton::Concave;
use super::super::prior::Prior;
use super::topic::Topic;

/// The penalised log-likelihood of the votes as a function of the scores times `scale`.
///
/// A vote's log-odds are the difference of two scores times the judge's discrimination, so all is concave in the
/// scores. With the largest discrimination for a `scale` no difference counts more than once, which [`Concave`] asks
/// for.
pub(super) struct Discriminating<'a> {
    topic: &'a Topic,
    /// The judge whose votes do not count.
    without: Option<u32>,
    /// The discrimination of each judge, divided by `scale`.
    shares: Vec<f64>,
    scale: f64,
    prior: Prior,
    scores: Vec<f64>,
    /// For each pair, minus the second derivative of its votes' terms by its difference.
    curvature: Vec<f64>,
    prior_curvature: Vec<f64>,
}

impl<'a> Discriminating<'a> {
    pub(super) fn new(topic: &'a Topic, discrimination: &[f64], without: Option<u32>, prior: Prior) -> Self {
        let scale = discrimination.iter().fold(1.0, |most: f64, one| most.max(*one));
        Self {
            topic,
            without,
            shares: discrimination.iter().map(|one| one / scale).collect(),
            scale,
            prior,
            scores: vec![0.0; topic.pairs.rated.len()],
            curvature: vec![0.0; topic.pairs.pairs.len()],
            prior_curvature: vec![0.0; topic.pairs.rated.len()],
        }
    }

    pub(super) fn scale(&self) -> f64 {
        self.scale
    }
}

impl Concave for Discriminating<'_> {
    fn look(&mut self, at: &[f64], gradient: &mut [f64]) {
        for (score, at) in self.scores.iter_mut().zip(at) {
            *score = at / self.scale;
        }
        self.prior.look(&self.topic.components, &self.scores, gradient, &mut self.prior_curvature);
        for (gradient, curvature) in gradient.iter_mut().zip(&mut self.prior_curvature) {
            *gradient /= self.scale;
            *curvature /= self.scale * self.scale;
        }
        self.curvature.fill(0.0);
        for vote in self.topic.votes.iter().filter(|vote| Some(vote.judge) != self.without) {
            let pair = &self.topic.pairs.pairs[vote.pair];
            let share = self.shares[vote.judge as usize];
            let first = logistic(share * (at[pair.first] - at[pair.second]));
            let slope = share * (vote.first * (1.0 - first) - vote.second * first);
            gradient[pair.first] += slope;
            gradient[pair.second] -= slope;
            self.curvature[vote.pair] += share * share * (vote.first + vote.second) * first * (1.0 - first);
        }
    }

    fn curve(&self, direction: &[f64], product: &mut [f64]) {
        for ((product, direction), prior) in product.iter_mut().zip(direction).zip(&self.prior_curvature) {
            *product = direction * prior;
        }
        for (pair, curvature) in self.topic.pairs.pairs.iter().zip(&self.curvature) {
            let change = curvature * (direction[pair.first] - direction[pair.second]);
            product[pair.first] += change;
            product[pair.second] -= change;
        }
    }

    fn diagonal(&self, diagonal: &mut [f64]) {
        diagonal.copy_from_slice(&self.prior_curvature);
        for (pair, curvature) in self.topic.pairs.pairs.iter().zip(&self.curvature) {
            diagonal[pair.first] += curvature;
            diagonal[pair.second] += curvature;
        }
    }

    /// Only differences of scores count.
    fn essence(&self, step: &mut [f64]) {
        self.topic.components.centre(step);
    }
}

fn logistic(x: f64) -> f64 {
    if x >= 0.0 {
        1.0 / (1.0 + libm::exp(-x))
    } else {
        let odds = libm::exp(x);
        odds / (1.0 + odds)
    }
}
