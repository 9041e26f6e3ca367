//! Draws random samples: allocation, simple draws, larger units likelier.

use llull_core::Seed;
use rand::Rng;

use crate::error::StatsError;
use crate::random_streams::{RandomStreams, below};

/// Draws `n` of the numbers from 0 to `size` - 1 without replacement, in random order: every set of `n` is equally
/// likely, so that each number is in it with probability `n / size`. All of them for an `n` beyond `size`.
///
/// The numbers of one seed and purpose differ from `stream` to `stream`, which is the stratum's number, for instance.
/// (Durstenfeld's shuffle, Algorithm 235, CACM 7(7), 1964, stopped after `n` steps.)
pub fn draw_without_replacement(
    size: usize,
    n: usize,
    seed: Seed,
    purpose: &str,
    stream: usize,
) -> Vec<usize> {
    let mut rng = RandomStreams::new(seed, purpose).chunk(stream);
    let mut numbers: Vec<usize> = (0..size).collect();
    let n = n.min(size);
    for at in 0..n {
        let other = at + below(size - at, &mut rng);
        numbers.swap(at, other);
    }
    numbers.truncate(n);
    numbers
}

/// The least number of labels of a stratum: fewer do not suffice for their variance. A smaller stratum is drawn whole.
pub const LEAST_LABELS: usize = 2;

/// A stratum before a sample of it is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StratumToSample {
    /// The number of its units.
    pub size: usize,
    /// The expected standard deviation of its units' contributions to the figure; 0 or more.
    pub spread: f64,
}

impl StratumToSample {
    fn least(&self) -> usize {
        self.size.min(LEAST_LABELS)
    }
}

/// Returns how many units of each stratum to draw, `n` together, so that the variance of the figure's estimate is
/// least: Neyman's allocation, nearly size × spread, with at least [`LEAST_LABELS`] of each stratum and at most all.
///
/// It is exact in whole numbers: one unit after the other goes to the stratum where it lowers the variance most, which
/// is by (size × spread)² / (drawn × (drawn + 1)) (Wright, The equivalence of Neyman optimum allocation for sampling
/// and equal proportions for apportioning the U.S. House of Representatives, The American Statistician 66(4), 2012).
/// Where no stratum is expected to vary, shares are those of the sizes.
///
/// # Errors
/// Returns an error if a spread is no finite number from 0 on, or `n` is less than what all strata need together. An
/// `n` beyond all units is all units.
pub fn allocate(strata: &[StratumToSample], n: usize) -> Result<Vec<usize>, StatsError> {
    let spreads: Vec<f64> = strata.iter().map(|stratum| stratum.spread).collect();
    StatsError::unless_finite(&spreads)?;
    if let Some(spread) = spreads.iter().find(|spread| **spread < 0.0) {
        return Err(StatsError::Effect(*spread));
    }
    let flat = spreads.iter().all(|spread| *spread == 0.0);
    let mut drawn: Vec<usize> = strata.iter().map(StratumToSample::least).collect();
    let least: usize = drawn.iter().sum();
    if n < least {
        return Err(StatsError::TooFewLabels { labels: n, needed: least });
    }
    for _ in least..n {
        let gain = |at: usize| {
            let stratum = &strata[at];
            let size = stratum.size as f64;
            let (weight, drawn) = (if flat { size } else { size * stratum.spread }, drawn[at] as f64);
            weight * weight / (drawn * (drawn + 1.0))
        };
        let open = (0..strata.len()).filter(|at| drawn[*at] < strata[*at].size);
        // The first of equals, and the larger stratum where more labels of neither help.
        let best = open.reduce(|best, at| {
            let by_gain = gain(at).total_cmp(&gain(best));
            if by_gain.then(strata[at].size.cmp(&strata[best].size)).is_gt() { at } else { best }
        });
        let Some(best) = best else { break };
        drawn[best] += 1;
    }
    Ok(drawn)
}

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

    #[test]
    fn every_unit_and_every_two_are_drawn_as_often_as_they_should() {
        let (size, n, draws) = (7, 3, 20_000);
        let (mut single, mut first, mut two) = ([0u32; 7], [0u32; 7], [[0u32; 7]; 7]);
        for seed in 0..draws {
            let drawn = draw_without_replacement(size, n, Seed(seed), "test", 0);
            first[drawn[0]] += 1;
            for a in &drawn {
                single[*a] += 1;
                for b in &drawn {
                    two[*a][*b] += 1;
                }
            }
        }
        // Five standard errors: for 35 frequencies together, a false alarm in 50,000 runs of other seeds.
        let near = |count: u32, share: f64| {
            let expected = share * draws as f64;
            (f64::from(count) - expected).abs() < 5.0 * (expected * (1.0 - share)).sqrt()
        };
        assert!(single.iter().all(|count| near(*count, 3.0 / 7.0)), "{single:?}");
        assert!(first.iter().all(|count| near(*count, 1.0 / 7.0)), "{first:?}");
        for a in 0..size {
            for b in (0..size).filter(|b| *b != a) {
                assert!(near(two[a][b], 3.0 * 2.0 / (7.0 * 6.0)), "{a} {b} {two:?}");
            }
        }
    }

    #[test]
    fn streams_differ_and_the_same_one_repeats() {
        let draw = |purpose, stream| draw_without_replacement(1000, 20, Seed(1), purpose, stream);
        assert_eq!(draw("a", 0), draw("a", 0));
        assert_ne!(draw("a", 0), draw("a", 1));
        assert_ne!(draw("a", 0), draw("b", 0));
    }

    proptest! {
        #[test]
        fn nothing_is_drawn_twice(size in 0usize..200, n in 0usize..250, seed: u64) {
            let mut drawn = draw_without_replacement(size, n, Seed(seed), "test", 3);
            prop_assert_eq!(drawn.len(), n.min(size));
            drawn.sort_unstable();
            drawn.dedup();
            prop_assert_eq!(drawn.len(), n.min(size));
            prop_assert!(drawn.iter().all(|at| *at < size));
        }
    }

    fn strata(of: &[(usize, f64)]) -> Vec<StratumToSample> {
        of.iter().map(|(size, spread)| StratumToSample { size: *size, spread: *spread }).collect()
    }

    fn variance(strata: &[StratumToSample], drawn: &[usize]) -> f64 {
        let part = |(stratum, n): (&StratumToSample, &usize)| {
            let (size, n) = (stratum.size as f64, *n as f64);
            if size == 0.0 { 0.0 } else { (size * stratum.spread).powi(2) / n * (1.0 - n / size) }
        };
        strata.iter().zip(drawn).map(part).sum()
    }

    // Cochran, Sampling Techniques, 3rd edition, 1977, section 5.5: n_h proportional to N_h·S_h.
    #[test]
    fn shares_are_neymans() {
        assert_eq!(allocate(&strata(&[(1000, 1.0), (500, 4.0), (250, 4.0)]), 400).unwrap(), [100, 200, 100]);
        assert_eq!(allocate(&strata(&[(300, 0.0), (100, 0.0)]), 40).unwrap(), [30, 10]);
    }

    #[test]
    fn small_strata_are_drawn_whole_and_none_goes_without() {
        assert_eq!(
            allocate(&strata(&[(1, 9.0), (50, 0.0), (50, 1.0), (0, 1.0)]), 20).unwrap(),
            [1, 2, 17, 0]
        );
        assert_eq!(allocate(&strata(&[(3, 1.0), (4, 1.0)]), 99).unwrap(), [3, 4]);
        let error = allocate(&strata(&[(5, 1.0), (5, 1.0)]), 3).unwrap_err();
        assert_eq!(error, StatsError::TooFewLabels { labels: 3, needed: 4 });
        assert!(allocate(&strata(&[(5, f64::NAN)]), 3).is_err());
        assert!(allocate(&strata(&[(5, -1.0)]), 3).is_err());
    }

    proptest! {
        #[test]
        fn it_adds_up_and_no_exchange_of_one_unit_is_better(
            of in prop::collection::vec((0usize..40, 0.0f64..3.0), 1..6),
            extra in 0usize..60,
        ) {
            let strata = strata(&of);
            let all: usize = strata.iter().map(|stratum| stratum.size).sum();
            let least: usize = strata.iter().map(StratumToSample::least).sum();
            let drawn = allocate(&strata, least + extra).unwrap();
            prop_assert_eq!(drawn.iter().sum::<usize>(), (least + extra).min(all));
            for (stratum, n) in strata.iter().zip(&drawn) {
                prop_assert!(*n >= stratum.least() && *n <= stratum.size);
            }
            let own = variance(&strata, &drawn);
            for from in 0..strata.len() {
                for to in 0..strata.len() {
                    if from == to || drawn[from] <= strata[from].least() || drawn[to] == strata[to].size {
                        continue;
                    }
                    let mut other = drawn.clone();
                    other[from] -= 1;
                    other[to] += 1;
                    prop_assert!(variance(&strata, &other) >= own - 1e-9 * own.max(1.0));
                }
            }
        }
    }

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
