//! Estimates how well one judge discriminates between items.
//!
//! The others' votes determine the order of the items.

/// A judge's votes on two items.
#[derive(Debug, Clone, Copy)]
pub(super) struct Compared {
    /// The score of the first less that of the second, by the other judges.
    pub(super) apart: f64,
    /// The weight of the votes for the first, and half that of ties.
    pub(super) first: f64,
    /// The weight of the votes for the second, and half that of ties.
    pub(super) second: f64,
}

/// No discrimination is further from 1 than this factor.
const MOST: f64 = 1e12;

/// After so many steps the interval is as small as doubles allow.
const STEPS: usize = 200;

/// Returns the discrimination `g` that maximises the log-likelihood of the votes, plus `equal (ln g - g)`, which is
/// greatest at 1. Both are concave in `g`: Newton's steps, and halves of the interval where these lead out of it.
pub(super) fn discrimination(votes: &[Compared], equal: f64) -> f64 {
    let (mut low, mut high) = (1.0 / MOST, MOST);
    let mut g = 1.0;
    for _ in 0..STEPS {
        let (mut slope, mut curvature) = (equal * (1.0 / g - 1.0), equal / (g * g));
        for vote in votes {
            let total = vote.first + vote.second;
            let first = 1.0 / (1.0 + libm::exp(-g * vote.apart));
            slope += vote.apart * (vote.first - total * first);
            curvature += vote.apart * vote.apart * total * first * (1.0 - first);
        }
        if slope > 0.0 {
            low = g;
        } else {
            high = g;
        }
        let newton = g + slope / curvature;
        let next = if newton > low && newton < high { newton } else { (low * high).sqrt() };
        if (next - g).abs() <= 1e-14 * g {
            return next;
        }
        g = next;
    }
    g
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 30 votes of 40 for items that are ln 3 apart are expected with a discrimination of 1, which the prior favours,
    /// too. 36 of 40 are expected with 2, so that a weak prior hardly changes it.
    #[test]
    fn odds_that_were_predicted_are_found() {
        let of = |first: f64| Compared { apart: 3.0_f64.ln(), first, second: 40.0 - first };
        assert!((discrimination(&[of(30.0)], 1.0) - 1.0).abs() < 1e-12);
        assert!((discrimination(&[of(36.0)], 1e-9) - 2.0).abs() < 1e-9);
    }

    /// scipy 1.17.1: `optimize.brentq` of `2 (10 - 40 expit(2 g)) + 1 / g - 1`.
    #[test]
    fn a_judge_that_says_the_contrary_is_near_0() {
        let contrary = Compared { apart: 2.0, first: 10.0, second: 30.0 };
        let found = discrimination(&[contrary], 1.0);
        assert!((found - 0.043_943_293_249_820_17).abs() < 1e-9, "{found}");
    }
}
