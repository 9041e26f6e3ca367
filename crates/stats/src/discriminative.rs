//! Discriminative power: how well a set of labels, and a measure over it, tells systems apart.

use serde::Serialize;

use crate::effect::{d_alone, dz_alone};
use crate::error::StatsError;
use crate::significance::{PairOptions, PairResults, compare_all};

/// How well systems are told apart.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DiscriminativePower {
    /// How many pairs of systems there are.
    pub pairs: usize,
    /// Pairs that have a p; the others are equal, or differ by the same, on every topic.
    pub tested: usize,
    /// Pairs that differ significantly.
    pub significant: usize,
    /// Significant pairs among all; `None` when there is no pair. A pair without a p is not told apart.
    pub share: Option<f64>,
    /// The median over pairs of the absolute Cohen's d (difference over the spread of topics); `None` when no pair
    /// has one.
    pub median_d: Option<f64>,
    /// The median over pairs of the absolute d_z (difference over its own spread); `None` when no pair has one.
    pub median_dz: Option<f64>,
    /// The pairs.
    pub results: PairResults,
}

impl DiscriminativePower {
    /// The p of the pairs from the largest to the smallest: the curve that Sakai (2006) draws, nearer to the axis
    /// the better. Pairs without a p are left out.
    pub fn curve(&self) -> Vec<f64> {
        let mut curve: Vec<f64> = self.results.pairs.iter().filter_map(|pair| pair.p).collect();
        curve.sort_unstable_by(|a, b| b.total_cmp(a));
        curve
    }
}

/// The share of all pairs of `systems` (values by topic, the same topics each) that differ significantly, and how
/// large the effects are.
///
/// Sakai, Evaluating evaluation metrics based on the bootstrap, SIGIR 2006, with the bootstrap test and no
/// correction; with the randomised Tukey test, as in Sakai, Metrics, statistics, tests, PROMISE 2012, the share is
/// of a family. Any [test](crate::PairTest) and correction can be asked for. Two label sets compare by it when
/// systems, topics, test and seed are the same: the one with the larger share, and larger effects within a family
/// of systems (pass that family only), sees more. It says nothing of being right: constant labels with a whim would
/// see much. Pairs share systems and topics, so the share has no binomial interval.
///
/// # Errors
/// When systems have different numbers of values or none, a value is not finite, or the options cannot be.
pub fn discriminative_power<S: AsRef<[f64]> + Sync>(
    systems: &[S],
    options: &PairOptions,
) -> Result<DiscriminativePower, StatsError> {
    let results = compare_all(systems, options)?;
    let (mut d, mut dz) = (Vec::new(), Vec::new());
    for pair in &results.pairs {
        let (Some(baseline), Some(candidate)) = (systems.get(pair.baseline), systems.get(pair.candidate))
        else {
            continue;
        };
        let (baseline, candidate) = (baseline.as_ref(), candidate.as_ref());
        d.extend(d_alone(baseline, candidate)?);
        dz.extend(dz_alone(baseline, candidate)?);
    }
    let significant = results.pairs.iter().filter(|pair| pair.significant).count();
    let pairs = results.pairs.len();
    Ok(DiscriminativePower {
        pairs,
        tested: results.pairs.iter().filter(|pair| pair.p.is_some()).count(),
        significant,
        share: (pairs > 0).then(|| significant as f64 / pairs as f64),
        median_d: median_size(d),
        median_dz: median_size(dz),
        results,
    })
}

fn median_size(mut effects: Vec<f64>) -> Option<f64> {
    for effect in &mut effects {
        *effect = effect.abs();
    }
    effects.sort_unstable_by(f64::total_cmp);
    let upper = *effects.get(effects.len() / 2)?;
    let lower = *effects.get((effects.len() - 1) / 2)?;
    Some(lower + (upper - lower) / 2.0)
}
