//! Allocates the units to draw to strata.

use crate::error::StatsError;

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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
}
