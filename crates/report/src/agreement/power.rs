//! The power of two label sets to separate the systems.

use llull_stats::{DiscriminativePower, PairResult};
use serde::Serialize;

use super::under_both::UnderBoth;

/// The discriminative power of both label sets.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PowerUnderBoth {
    /// How many pairs of systems.
    pub n: usize,
    /// The power under each.
    #[serde(flatten)]
    pub power: UnderBoth<PowerSummary>,
    /// Every pair.
    pub pairs: Vec<PairUnderBoth>,
}

/// How well one label set separates the systems: [`DiscriminativePower`] without its pairs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PowerSummary {
    /// Pairs that differ significantly.
    pub significant: usize,
    /// Their share of all pairs; `None` without a pair.
    pub share: Option<f64>,
    /// The median over pairs of the absolute Cohen's d.
    pub median_d: Option<f64>,
    /// The median over pairs of the absolute d_z.
    pub median_dz: Option<f64>,
}

/// One pair of systems.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairUnderBoth {
    /// The one.
    pub baseline: String,
    /// The other.
    pub candidate: String,
    /// The finding about the pair under each label set.
    #[serde(flatten)]
    pub found: UnderBoth<PairFinding>,
}

/// One pair of systems under one label set.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PairFinding {
    /// Candidate minus baseline.
    pub difference: f64,
    /// The corrected p; `None` if it does not exist.
    pub p: Option<f64>,
    /// Whether that is at or below the level.
    pub significant: bool,
}

impl PowerUnderBoth {
    /// The power under both label sets, of systems with these names.
    pub(super) fn of(names: &[String], power: &UnderBoth<DiscriminativePower>) -> Self {
        let short = |power: &DiscriminativePower| PowerSummary {
            significant: power.significant,
            share: power.share,
            median_d: power.median_d,
            median_dz: power.median_dz,
        };
        let finding = |pair: &PairResult| PairFinding {
            difference: pair.mean,
            p: pair.adjusted,
            significant: pair.significant,
        };
        let name = |at: usize| names.get(at).cloned().unwrap_or_default();
        let pairs = power.truth.results.pairs.iter().zip(&power.other.results.pairs);
        Self {
            n: power.truth.pairs,
            power: UnderBoth { truth: short(&power.truth), other: short(&power.other) },
            pairs: pairs
                .map(|(truth, other)| PairUnderBoth {
                    baseline: name(truth.baseline),
                    candidate: name(truth.candidate),
                    found: UnderBoth { truth: finding(truth), other: finding(other) },
                })
                .collect(),
        }
    }
}
