//! The size of effects within a family of systems, under two label sets.

use serde::Serialize;

use crate::bootstrap::{BootstrapOptions, ClusterResamples};
use crate::error::StatsError;
use crate::rounding::noise;

/// The mean size of the differences within a family of systems, under new labels and under old ones.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct EffectRatio {
    /// The number of pairs of systems.
    pub pairs: usize,
    /// How many of them are in the other order under the old labels.
    pub reversed: usize,
    /// The mean over pairs of the absolute Cohen's d under the new labels; `None` if a pair has none.
    pub new: Option<f64>,
    /// The same under the old labels.
    pub old: Option<f64>,
    /// `new / old`; `None` if one of them is undefined, or the old one is 0.
    pub ratio: Option<f64>,
    /// The lower end of its interval; `None` without an interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
}

/// Returns how much larger the differences between systems are under new labels than under old ones, in standard
/// deviations of the queries: the ratio of the mean absolute [`cohen_d`](super::cohen_d) over all pairs.
///
/// `new` and `old` have the same systems in the same order, each with its values over the same queries. The interval is
/// a bias-corrected bootstrap interval, and each resample draws the same queries for both label sets. Chance alone
/// makes |d| larger than 0: where systems are equal under the old labels, the ratio is too small and its interval wide.
///
/// # Errors
/// Returns an error if systems or label sets have different numbers of values or none, a value is not finite, or
/// `options` is invalid.
pub fn effect_ratio<S: AsRef<[f64]> + Sync>(
    new: &[S],
    old: &[S],
    options: &BootstrapOptions,
) -> Result<EffectRatio, StatsError> {
    let first = new.first().map_or(&[][..], AsRef::as_ref);
    for values in new.iter().chain(old).map(AsRef::as_ref) {
        StatsError::unless_samples(first, values)?;
        if values.len() != first.len() {
            return Err(StatsError::Unpaired { baseline: first.len(), candidate: values.len() });
        }
    }
    let (new, old) = (Family::of(new), Family::of(old));
    let once = vec![1; first.len()];
    let ratio = |weights: &[u32]| {
        let old = mean_size(&old.effects(weights)).filter(|old| *old > 0.0)?;
        Some(mean_size(&new.effects(weights))? / old)
    };
    let estimate = ratio(&once);
    let resamples = ClusterResamples::new(first.len(), options, |weights| vec![ratio(weights)])?;
    let ends = estimate.and_then(|estimate| resamples.accelerated(0, estimate, 0.0));
    let (new, old) = (new.effects(&once), old.effects(&once));
    let reversed =
        |(new, old): (&Option<f64>, &Option<f64>)| new.zip(*old).is_some_and(|(new, old)| new * old < 0.0);
    Ok(EffectRatio {
        pairs: new.len(),
        reversed: new.iter().zip(&old).filter(|both| reversed(*both)).count(),
        new: mean_size(&new),
        old: mean_size(&old),
        ratio: estimate,
        low: ends.map(|[low, _]| low),
        high: ends.map(|[_, high]| high),
    })
}

/// The mean absolute effect; `None` without any, or if one is undefined.
fn mean_size(effects: &[Option<f64>]) -> Option<f64> {
    let sum = effects.iter().map(|effect| effect.map(f64::abs)).sum::<Option<f64>>()?;
    (!effects.is_empty()).then(|| sum / effects.len() as f64)
}

/// The systems of a family under one label set.
struct Family<'a> {
    systems: Vec<&'a [f64]>,
    /// Spreads up to this are rounding.
    noise: f64,
}

impl<'a> Family<'a> {
    fn of<S: AsRef<[f64]>>(systems: &'a [S]) -> Self {
        let systems: Vec<&[f64]> = systems.iter().map(AsRef::as_ref).collect();
        let noise = systems.iter().map(|values| noise(values)).fold(0.0, f64::max);
        Self { systems, noise }
    }

    /// Returns Cohen's d of each pair, where every query counts as often as its weight; `None` without spread.
    fn effects(&self, weights: &[u32]) -> Vec<Option<f64>> {
        let n: f64 = weights.iter().copied().map(f64::from).sum();
        let moments = |values: &&[f64]| {
            let weighed = || values.iter().zip(weights).map(|(value, weight)| (*value, f64::from(*weight)));
            let mean = weighed().map(|(value, weight)| weight * value).sum::<f64>() / n;
            let squares = weighed().map(|(value, weight)| weight * (value - mean) * (value - mean));
            (mean, squares.sum::<f64>() / (n - 1.0))
        };
        let moments: Vec<(f64, f64)> = self.systems.iter().map(moments).collect();
        let effect = |one: (f64, f64), other: (f64, f64)| {
            let deviation = ((one.1 + other.1) / 2.0).sqrt();
            (deviation > self.noise).then(|| (other.0 - one.0) / deviation)
        };
        let pairs = moments.iter().enumerate();
        pairs
            .flat_map(|(at, one)| moments.iter().skip(at + 1).map(move |other| (*one, *other)))
            .map(|(one, other)| effect(one, other))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use llull_core::Seed;
    use proptest::prelude::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::cohen_d;

    const OPTIONS: BootstrapOptions = BootstrapOptions { resamples: 400, confidence: 0.95, seed: Seed(1) };

    #[test]
    fn the_sizes_are_those_of_cohens_d() {
        let new = [vec![0.1, 0.2, 0.6, 0.4, 0.3, 0.9], vec![0.3, 0.4, 0.7, 0.5, 0.2, 1.0], vec![0.5; 6]];
        let old = [
            vec![0.0, 0.5, 0.5, 1.0, 0.0, 1.0],
            vec![0.5, 0.0, 0.5, 1.0, 0.0, 1.0],
            vec![0.0, 0.1, 0.2, 0.3, 0.4, 0.5],
        ];
        let found = effect_ratio(&new, &old, &OPTIONS).unwrap();
        let mean = |of: &[Vec<f64>]| {
            let pairs = [(0, 1), (0, 2), (1, 2)];
            pairs
                .map(|(a, b)| cohen_d(&of[a], &of[b], 0.95).unwrap().value.unwrap().abs())
                .iter()
                .sum::<f64>()
                / 3.0
        };
        assert!((found.new.unwrap() - mean(&new)).abs() < 1e-12);
        assert!((found.old.unwrap() - mean(&old)).abs() < 1e-12);
        assert!((found.ratio.unwrap() - mean(&new) / mean(&old)).abs() < 1e-12);
        assert_eq!((found.pairs, found.reversed), (3, 1));
    }

    #[test]
    fn without_a_difference_or_a_pair_there_is_no_ratio() {
        let (same, other) = (vec![0.5, 0.7, 0.1], vec![0.6, 0.9, 0.1]);
        let found = effect_ratio(&[&same, &other], &[&same, &same], &OPTIONS).unwrap();
        assert_eq!((found.old, found.ratio, found.low), (Some(0.0), None, None));
        let alone = effect_ratio(&[&same], &[&same], &OPTIONS).unwrap();
        assert_eq!((alone.pairs, alone.new, alone.ratio), (0, None, None));
        assert!(effect_ratio(&[&same[..]], &[&same[..2]], &OPTIONS).is_err());
    }

    /// 40 queries, d of 0.25 under the old labels and 0.5 under the new ones: the interval has the true ratio as often
    /// as it promises.
    #[test]
    fn the_interval_covers_the_true_ratio() {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let mut uniform = move || (f64::from(rng.next_u32()) + 0.5) / 2f64.powi(32);
        let mut normal = move || (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
        let covered = (0..200).filter(|_| {
            let query: Vec<f64> = (0..40).map(|_| normal()).collect();
            // Both systems share most of the spread of queries, so that a variance of 1 is .8 + .2.
            let mut system = |mean: f64| -> Vec<f64> {
                query.iter().map(|query| mean + 0.8_f64.sqrt() * query + 0.2_f64.sqrt() * normal()).collect()
            };
            let (new, old) = ([system(0.0), system(0.5)], [system(0.0), system(0.25)]);
            let found = effect_ratio(&new, &old, &OPTIONS).unwrap();
            found.low.unwrap() <= 2.0 && 2.0 <= found.high.unwrap()
        });
        let covered = covered.count();
        assert!((182..=199).contains(&covered), "{covered} of 200");
    }

    proptest! {
        /// The ratio has no unit, and does not depend on which label set is called new but for its direction.
        #[test]
        fn a_ratio_is_free_of_units(
            values in proptest::collection::vec(proptest::array::uniform4(0.0f64..1.0), 8..20),
        ) {
            let list = |at: usize, times: f64| values.iter().map(|row| row[at] * times).collect::<Vec<_>>();
            let ratio = |new: f64, old: f64| {
                effect_ratio(&[list(0, new), list(1, new)], &[list(2, old), list(3, old)], &OPTIONS).unwrap()
            };
            let (plain, scaled) = (ratio(1.0, 1.0), ratio(3.0, 1.0));
            prop_assert!((plain.ratio.unwrap() / scaled.ratio.unwrap() - 1.0).abs() < 1e-9);
            let back =
                effect_ratio(&[list(2, 1.0), list(3, 1.0)], &[list(0, 1.0), list(1, 1.0)], &OPTIONS).unwrap();
            prop_assert!((plain.ratio.unwrap() * back.ratio.unwrap() - 1.0).abs() < 1e-9);
        }
    }
}
