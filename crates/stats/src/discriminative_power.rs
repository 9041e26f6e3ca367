//! Discriminative power: the share of system pairs that labels separate.
//!
//! It depends on the labels and on a measure.

use serde::Serialize;

use crate::descriptive::quantile;
use crate::effect::{d_alone, dz_alone};
use crate::error::StatsError;
use crate::significance::{PairOptions, PairResults, compare_all};

/// The discriminative power of labels with a measure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DiscriminativePower {
    /// The number of pairs that differ significantly.
    pub significant: usize,
    /// The share of significant pairs among all; `None` without a pair. A pair without a p is not significant.
    pub share: Option<f64>,
    /// The median over pairs of the absolute Cohen's d (difference over the spread of queries); `None` if no pair has
    /// one.
    pub median_d: Option<f64>,
    /// The median over pairs of the absolute d_z (difference over its own spread); `None` if no pair has one.
    pub median_dz: Option<f64>,
    /// The pairs. One without a p is of systems that are equal, or differ by the same, on every query.
    #[serde(skip)]
    pub results: PairResults,
}

/// Returns the share of all pairs of `systems` (values by query, over the same queries) that differ significantly, and
/// the size of the effects.
///
/// Sakai, Evaluating evaluation metrics based on the bootstrap, SIGIR 2006, uses the bootstrap test without correction;
/// with the randomised Tukey test, as in Sakai, Metrics, statistics, tests, PROMISE 2012, the share is that of a
/// family. Any [test](crate::PairTest) and correction can be chosen. To compare two label sets, use the same systems,
/// queries, test and seed: the set with the larger share, and with larger effects within a family of systems (pass that
/// family only), discriminates more. A high share is no evidence of right labels: arbitrary but constant labels can
/// discriminate much. Pairs share systems and queries, so the share has no binomial interval.
///
/// # Errors
/// Returns an error if systems have different numbers of values or none, a value is not finite, or `options` is
/// invalid.
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
        significant,
        share: (pairs > 0).then(|| significant as f64 / pairs as f64),
        median_d: median_size(d),
        median_dz: median_size(dz),
        results,
    })
}

/// The median of the absolute values.
fn median_size(effects: Vec<f64>) -> Option<f64> {
    let mut sizes: Vec<f64> = effects.into_iter().map(f64::abs).collect();
    sizes.sort_unstable_by(f64::total_cmp);
    quantile(&sizes, 0.5)
}
