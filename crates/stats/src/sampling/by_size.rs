//! Samples in which larger units are likelier, of fixed size.

use llull_core::Seed;
use rand::Rng;

use super::draw::draw_without_replacement;
use crate::error::StatsError;
use crate::random_streams::RandomStreams;

/// Returns the probabilities min(1, c·size), c so that they add up to `n`. All are 1 for an `n` beyond the units.
///
/// # Errors
/// Returns an error if a size is no finite number above 0.
pub fn probabilities_by_size(sizes: &[f64], n: usize) -> Result<Vec<f64>, StatsError> {
    StatsError::unless_finite(sizes)?;
    if let Some(size) = sizes.iter().find(|size| **size <= 0.0) {
        return Err(StatsError::Effect(*size));
    }
    if n >= sizes.len() {
        return Ok(vec![1.0; sizes.len()]);
    }
    let mut certain = vec![false; sizes.len()];
    loop {
        let rest: f64 =
            sizes.iter().zip(&certain).filter(|(_, certain)| !**certain).map(|(size, _)| size).sum();
        let left = n - certain.iter().filter(|certain| **certain).count();
        let scaled = |(size, certain): (&f64, &bool)| if *certain { 1.0 } else { size / rest * left as f64 };
        let probabilities: Vec<f64> = sizes.iter().zip(&certain).map(scaled).collect();
        let reached: Vec<bool> = probabilities.iter().map(|probability| *probability >= 1.0).collect();
        if reached == certain {
            return Ok(probabilities);
        }
        certain = reached;
    }
}

/// Draws units with these probabilities, which add up to the number drawn: systematically, in random order (Madow, On
/// the theory of systematic sampling, II, Annals of Mathematical Statistics 20(3), 1949). Returns whether each was
/// drawn. One seed and purpose draw the same each time.
pub fn draw_by_probability(probabilities: &[f64], seed: Seed, purpose: &str) -> Vec<bool> {
    let size = probabilities.len();
    let order = draw_without_replacement(size, size, seed, purpose, 0);
    let mut rng = RandomStreams::new(seed, purpose).chunk(1);
    let mut next = (rng.next_u64() >> 11) as f64 / 2f64.powi(53);
    let mut drawn: Vec<bool> = probabilities.iter().map(|probability| *probability >= 1.0).collect();
    let mut sum = 0.0;
    for at in order.iter().copied().filter(|at| probabilities[*at] < 1.0) {
        sum += probabilities[at];
        if sum > next {
            drawn[at] = true;
            next += 1.0;
        }
    }
    // Rounding of the sum can leave out the last one.
    let n = probabilities.iter().sum::<f64>().round() as usize;
    let missing = n.saturating_sub(drawn.iter().filter(|drawn| **drawn).count());
    let last: Vec<usize> = order.into_iter().rev().filter(|at| !drawn[*at]).take(missing).collect();
    last.into_iter().for_each(|at| drawn[at] = true);
    drawn
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    // Worked by hand: 5 of 9 times 3 is above 1, and so certain; two are left for sizes that add up to 4.
    #[test]
    fn no_probability_is_above_one() {
        let got = probabilities_by_size(&[5.0, 1.0, 1.0, 1.0, 0.5, 0.5], 3).unwrap();
        assert_eq!(got, [1.0, 0.5, 0.5, 0.5, 0.25, 0.25]);
        assert_eq!(probabilities_by_size(&[5.0, 1.0], 4).unwrap(), [1.0, 1.0]);
        assert!(probabilities_by_size(&[5.0, 0.0], 1).is_err());
        assert!(probabilities_by_size(&[5.0, f64::NAN], 1).is_err());
    }

    #[test]
    fn units_are_drawn_as_often_as_their_probability() {
        let probabilities = [1.0, 0.5, 0.5, 0.5, 0.25, 0.25];
        let (draws, mut times) = (20_000, [0u32; 6]);
        for seed in 0..draws {
            let drawn = draw_by_probability(&probabilities, Seed(seed), "test");
            assert_eq!(drawn.iter().filter(|drawn| **drawn).count(), 3);
            times.iter_mut().zip(drawn).for_each(|(times, drawn)| *times += u32::from(drawn));
        }
        for (times, probability) in times.into_iter().zip(probabilities) {
            let deviation = (draws as f64 * probability * (1.0 - probability)).sqrt();
            let expected = draws as f64 * probability;
            assert!((f64::from(times) - expected).abs() <= 5.0 * deviation, "{times} {expected}");
        }
    }

    proptest! {
        #[test]
        fn so_many_are_drawn_as_probabilities_add_up_to(
            sizes in proptest::collection::vec(0.001f64..100.0, 1..80),
            share in 0.0f64..1.0,
            seed: u64,
        ) {
            let n = ((sizes.len() as f64 * share) as usize).max(1);
            let probabilities = probabilities_by_size(&sizes, n).unwrap();
            prop_assert!(probabilities.iter().all(|p| *p > 0.0 && *p <= 1.0));
            prop_assert!((probabilities.iter().sum::<f64>() - n as f64).abs() < 1e-9);
            let drawn = draw_by_probability(&probabilities, Seed(seed), "test");
            prop_assert_eq!(drawn.iter().filter(|drawn| **drawn).count(), n);
            prop_assert_eq!(drawn, draw_by_probability(&probabilities, Seed(seed), "test"));
        }
    }
}
