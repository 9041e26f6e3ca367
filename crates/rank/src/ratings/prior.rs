//! Priors as functions of the scores.

use super::Prior;
use super::components::Components;

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
