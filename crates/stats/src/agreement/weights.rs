//! Weights of disagreements, by the distance between the grades.

/// How much a disagreement counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DisagreementWeights {
    /// Every disagreement counts the same (Cohen 1960).
    #[default]
    None,
    /// By the distance between the grades (Cohen 1968).
    Linear,
    /// By the distance squared (Cohen 1968): 0 against 3 counts nine times 0 against 1.
    Quadratic,
}

impl DisagreementWeights {
    /// Returns the weight of a disagreement between grades at places `x` and `y`.
    pub(super) fn between(self, x: f64, y: f64) -> f64 {
        let distance = (x - y).abs();
        match self {
            Self::None => f64::from(u8::from(x != y)),
            Self::Linear => distance,
            Self::Quadratic => distance * distance,
        }
    }

    /// Returns the sum of first\[i\] * second\[j\] * between(places\[i\], places\[j\]) over all i and j, in one pass.
    /// Places ascend and differ. Whole numbers give a whole number.
    pub(super) fn total(self, places: &[f64], first: &[f64], second: &[f64]) -> f64 {
        let each = || places.iter().zip(first.iter().zip(second)).map(|(x, (a, b))| (*x, *a, *b));
        match self {
            Self::None => {
                let (all_a, all_b, same) =
                    each().fold((0.0, 0.0, 0.0), |(s, t, same), (_, a, b)| (s + a, t + b, same + a * b));
                all_a * all_b - same
            }
            Self::Linear => {
                // The sums of each side at lower places, and the same times the places.
                let mut below = [0.0; 4];
                let mut total = 0.0;
                for (x, a, b) in each() {
                    let [sum_a, at_a, sum_b, at_b] = &mut below;
                    total += b * (x * *sum_a - *at_a) + a * (x * *sum_b - *at_b);
                    *sum_a += a;
                    *at_a += a * x;
                    *sum_b += b;
                    *at_b += b * x;
                }
                total
            }
            Self::Quadratic => {
                let mut moments = [0.0; 6];
                for (x, a, b) in each() {
                    for (moment, term) in moments.iter_mut().zip([a, a * x, a * x * x, b, b * x, b * x * x]) {
                        *moment += term;
                    }
                }
                let [a0, a1, a2, b0, b1, b2] = moments;
                (a2 * b0 - 2.0 * a1 * b1 + a0 * b2).max(0.0)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_are_the_sums_over_all_pairs() {
        let places = [-2.0, 0.0, 1.0, 5.0];
        let (first, second) = ([3.0, 0.0, 2.0, 7.0], [1.0, 4.0, 0.0, 5.0]);
        for weights in
            [DisagreementWeights::None, DisagreementWeights::Linear, DisagreementWeights::Quadratic]
        {
            let mut sum = 0.0;
            for (x, a) in places.iter().zip(first) {
                for (y, b) in places.iter().zip(second) {
                    sum += a * b * weights.between(*x, *y);
                }
            }
            assert_eq!(weights.total(&places, &first, &second), sum, "{weights:?}");
            assert_eq!(weights.total(&[], &[], &[]), 0.0);
        }
    }
}
