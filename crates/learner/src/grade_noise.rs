//! The probability of each grade for a score.

use llull_core::Grade;

/// The steps of the search for the spread, each of which narrows it to .618 of its width.
const STEPS: usize = 60;

/// Returns the probability of each grade of a scale for a score, lowest first; they sum to 1. The chance of a grade
/// from a threshold on, or of a higher one, is logistic in the score's distance from the threshold, in units of
/// `spread` (the proportional odds model; McCullagh, Journal of the Royal Statistical Society B 42(2), 1980).
pub fn grade_chances(score: f64, thresholds: &[f64], spread: f64) -> Vec<f64> {
    let above = |threshold: &f64| 1.0 / (1.0 + libm::exp((threshold - score) / spread));
    let reached: Vec<f64> = std::iter::once(1.0).chain(thresholds.iter().map(above)).collect();
    let next = reached.iter().skip(1).copied().chain([0.0]);
    reached.iter().zip(next).map(|(here, next)| (here - next).max(0.0)).collect()
}

/// Returns the spread under which the labels are likeliest, given the scores that were predicted for them without their
/// queries, and the thresholds: golden-section search over its logarithm, between a thousandth and a thousand times the
/// distance between the outer thresholds (of a single one, 1). `None` without a prediction.
pub fn grade_spread(predicted: &[(f64, Grade)], thresholds: &[f64], grades: &[Grade]) -> Option<f64> {
    if predicted.is_empty() {
        return None;
    }
    let level = |grade: Grade| grades.iter().position(|one| *one == grade).unwrap_or(0);
    let cost = |log: f64| -> f64 {
        let spread = libm::exp(log);
        let chance = |(score, grade): &(f64, Grade)| {
            let chances = grade_chances(*score, thresholds, spread);
            chances.get(level(*grade)).copied().unwrap_or(0.0).max(1e-300)
        };
        predicted.iter().map(|one| -libm::log(chance(one))).sum()
    };
    let width = match (thresholds.first(), thresholds.last()) {
        (Some(first), Some(last)) if last > first => last - first,
        _ => 1.0,
    };
    let ratio = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (libm::log(width / 1000.0), libm::log(width * 1000.0));
    for _ in 0..STEPS {
        let (left, right) = (high - ratio * (high - low), low + ratio * (high - low));
        if cost(left) <= cost(right) { high = right } else { low = left }
    }
    Some(libm::exp((low + high) / 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// scipy 1.17.1: minimize_scalar of the same likelihood, bounded, xatol 1e-12.
    #[test]
    fn the_spread_is_that_of_scipy() {
        let predicted: Vec<(f64, Grade)> =
            (0..40).map(|at| (f64::from((at * 7) % 20) / 5.0 - 2.0, (at * 3 + at / 5) % 4)).collect();
        let found = grade_spread(&predicted, &[-1.0, 0.25, 1.0], &[0, 1, 2, 3]).unwrap();
        assert!((found - 1.532_154_436_594_051_4).abs() < 1e-6, "{found}");
    }

    proptest! {
        #[test]
        fn chances_sum_to_one_and_the_likeliest_is_near_the_score(score in -5.0..5.0f64, spread in 0.01..10.0f64) {
            let chances = grade_chances(score, &[-1.0, 0.0, 1.0], spread);
            prop_assert_eq!(chances.len(), 4);
            prop_assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            let far = grade_chances(score + 50.0, &[-1.0, 0.0, 1.0], spread.min(1.0));
            prop_assert!(far[3] > 0.999);
        }
    }
}
