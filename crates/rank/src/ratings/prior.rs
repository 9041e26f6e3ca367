//! Priors of the scores.

use super::components::Components;

/// What is assumed of the scores before a ballot is seen, by Bradley-Terry, Newman, Davidson and Plackett-Luce.
///
/// Without a prior a perfectly transitive chain a > b > c has no maximum: the likelihood grows for ever as the scores move apart.
/// Judges are nearly transitive, so that is the normal case here and not an accident.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Prior {
    /// None: maximum likelihood. Needs that within each component nobody is unbeaten ([`RatingError::NoMaximum`](super::RatingError::NoMaximum)).
    None,
    /// Each item has won and lost this many comparisons with an imaginary item of score 0: a logistic prior on the score, its density
    /// to the power of the number. With 1 it is the prior of Newman, Efficient computation of rankings from pairwise comparisons, JMLR
    /// 24(238), 2023.
    ///
    /// The default, with 0.1. It is symmetric (reversing all ballots negates Bradley-Terry's scores), it depends on no other item, and its pull is
    /// bounded, so that clear evidence stays clear; [`Prior::Choix`] pulls items up with bounded and down with unbounded force, and the
    /// harder the more items there are. The strength is from a study, the example `ratings_prior`: 100 items, 200 or 1,000 pairs, 15 or 60
    /// ballots of ten, 200 seeds. With a judge that is nearly consistent (noise of 0 or 0.2 standard deviations of quality) 0.1 keeps Kendall's
    /// tau within 0.004 of the best of nine priors in each case, where 1 loses up to 0.027 against it and 0.001 up to 0.025. Noisy judges
    /// gain from more: with 200 pairs and noise 1, a strength of 1 has 0.035 more.
    Logistic(f64),
    /// The `alpha` of [choix](https://choix.lum.li) 0.4.1 (`ilsr_pairwise`, `ilsr_rankings`), which starts every rate of its Markov chain
    /// at alpha. What that maximises, with m rated items and strengths w = exp(score), is the log-likelihood plus
    /// `alpha m sum(ln(w_i) - w_i)`: each item was once, with weight `alpha m`, chosen from among all of them. It grows with the number of
    /// items, and it is not symmetric.
    Choix(f64),
}

impl Default for Prior {
    fn default() -> Self {
        Self::Logistic(0.1)
    }
}

impl Prior {
    /// Writes the gradient of the log-density at the scores, and minus its second derivatives.
    ///
    /// A likelihood says nothing of where the scores of a component lie, only how far apart. Without a prior the first item of each is
    /// given a normal one; the maximum then has it at exactly 0, the differences are as they would be, and the maximum is unique.
    pub(super) fn look(
        self,
        components: &Components,
        scores: &[f64],
        gradient: &mut [f64],
        curvature: &mut [f64],
    ) {
        for ((&score, gradient), curvature) in scores.iter().zip(&mut *gradient).zip(&mut *curvature) {
            let term = match self {
                Self::None => [0.0; 2],
                Self::Logistic(strength) => logistic(score).map(|term| strength * term),
                Self::Choix(alpha) => {
                    let strength = libm::exp(score);
                    [1.0 - strength, strength].map(|term| alpha * scores.len() as f64 * term)
                }
            };
            [*gradient, *curvature] = term;
        }
        if self == Self::None {
            for pinned in components.members.iter().filter_map(|members| members.first().copied()) {
                gradient[pinned] = -scores[pinned];
                curvature[pinned] = 1.0;
            }
        }
    }
}

/// The derivative of the logarithm of the logistic density, ln(p (1 - p)) where p = 1 / (1 + exp(-x)), and minus its second derivative.
fn logistic(x: f64) -> [f64; 2] {
    let weaker = libm::exp(-x.abs());
    let sum = 1.0 + weaker;
    [-((1.0 - weaker) / sum).copysign(x), 2.0 * weaker / (sum * sum)]
}
