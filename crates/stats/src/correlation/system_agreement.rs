//! The agreement of two label sets about the order of systems.

use serde::Serialize;

use super::kendall::kendall_tau_b;
use super::pearson::pearson;
use super::rank_biased_overlap::rank_biased_overlap;
use super::rank_changes::{RankChange, rank_changes};
use super::spearman::spearman;
use super::system_scores::{SystemError, SystemScores, query_count};
use super::tau_ap::tau_ap_b;
use crate::bootstrap::{BootstrapOptions, ClusterResamples, Ends};
use crate::descriptive::mean;
use crate::error::is_inside_unit;

/// How to compare rankings of systems.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SystemOptions {
    /// The p of [`rank_biased_overlap`]; 0.9 by default.
    pub persistence: f64,
    /// How to resample queries for intervals; without it there are none.
    pub bootstrap: Option<BootstrapOptions>,
}

impl Default for SystemOptions {
    fn default() -> Self {
        Self { persistence: 0.9, bootstrap: None }
    }
}

/// Correlations of two rankings of systems. `T` is a figure (`Option<f64>`) or its interval (`Option<Ends>`).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SystemFigures<T> {
    /// [`kendall_tau_b`].
    pub tau: T,
    /// [`tau_ap_b`]: the top counts more, and neither side is the truth.
    pub tau_ap: T,
    /// [`spearman`].
    pub spearman: T,
    /// [`pearson`], of the means themselves.
    pub pearson: T,
    /// [`rank_biased_overlap`].
    pub rbo: T,
}

/// The agreement of two label sets about the order of systems.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SystemAgreement {
    /// The number of systems.
    pub n: usize,
    /// The number of queries that the means are over.
    pub queries: usize,
    /// The figures; all `None` for fewer than three systems, whose orders can only be equal or reversed.
    #[serde(flatten)]
    pub figures: SystemFigures<Option<f64>>,
    /// Their intervals over resampled queries, if requested: where the figure would lie for as many other queries.
    /// Resampled means are noisier than the observed ones, so resampled rankings agree less, and plain percentiles can
    /// lie wholly below the figure. These intervals are as wide but centred on the figure: the basic bootstrap with
    /// deviations from the median of the resamples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ci: Option<SystemFigures<Option<Ends>>>,
    /// For each query, [`kendall_tau_b`] of the systems' values on it; `None` if all systems are tied on one side.
    pub tau_by_query: Vec<Option<f64>>,
    /// The mean of those that are defined.
    pub mean_tau_by_query: Option<f64>,
    /// Every system, the largest drop first, then by rank under the truth and by name.
    pub changes: Vec<RankChange>,
}

/// Compares how two label sets rank systems by their means over queries.
///
/// ```
/// use llull_stats::{SystemOptions, SystemScores, system_agreement};
///
/// let systems = [
///     SystemScores { name: "a", truth: &[0.9, 0.7], other: &[0.5, 0.6] },
///     SystemScores { name: "b", truth: &[0.5, 0.6], other: &[0.8, 0.4] },
///     SystemScores { name: "c", truth: &[0.1, 0.2], other: &[0.1, 0.3] },
/// ];
/// let agreement = system_agreement(&systems, &SystemOptions::default())?;
/// assert!(agreement.figures.tau.is_some_and(|tau| (tau - 1.0 / 3.0).abs() < 1e-15));
/// assert_eq!((agreement.changes[0].system.as_str(), agreement.changes[0].drop), ("a", 1));
/// # Ok::<(), llull_stats::SystemError>(())
/// ```
///
/// # Errors
/// Returns an error if a system has too few or too many values, a value is not finite, there are no queries, or
/// `options` is invalid. An empty list of systems is valid.
pub fn system_agreement(
    systems: &[SystemScores<'_>],
    options: &SystemOptions,
) -> Result<SystemAgreement, SystemError> {
    let persistence = options.persistence;
    if !is_inside_unit(persistence) {
        return Err(SystemError::Persistence(persistence));
    }
    let queries = query_count(systems)?;
    let means = weighted_means(systems, &vec![1; queries]);
    let figures = SystemFigures::of(&means, persistence);
    let ci = match &options.bootstrap {
        None => None,
        Some(bootstrap) => Some(intervals(systems, queries, &figures, persistence, bootstrap)?),
    };
    let tau_by_query: Vec<Option<f64>> = (0..queries)
        .map(|query| {
            let values = systems.iter().map(|system| (system.truth[query], system.other[query]));
            kendall_tau_b(&values.collect::<Vec<_>>())
        })
        .collect();
    let defined: Vec<f64> = tau_by_query.iter().flatten().copied().collect();
    let mean_tau_by_query = (!defined.is_empty()).then(|| mean(&defined));
    let changes = rank_changes(systems, &means);
    Ok(SystemAgreement { n: systems.len(), queries, figures, ci, tau_by_query, mean_tau_by_query, changes })
}

impl SystemFigures<Option<f64>> {
    fn of(means: &[(f64, f64)], persistence: f64) -> Self {
        if means.len() < 3 {
            return Self { tau: None, tau_ap: None, spearman: None, pearson: None, rbo: None };
        }
        Self {
            tau: kendall_tau_b(means),
            tau_ap: tau_ap_b(means),
            spearman: spearman(means),
            pearson: pearson(means),
            rbo: rank_biased_overlap(means, persistence),
        }
    }
}

fn intervals(
    systems: &[SystemScores<'_>],
    queries: usize,
    figures: &SystemFigures<Option<f64>>,
    persistence: f64,
    bootstrap: &BootstrapOptions,
) -> Result<SystemFigures<Option<Ends>>, SystemError> {
    let resamples = ClusterResamples::new(queries, bootstrap, |weights| {
        let SystemFigures { tau, tau_ap, spearman, pearson, rbo } =
            SystemFigures::of(&weighted_means(systems, weights), persistence);
        vec![tau, tau_ap, spearman, pearson, rbo]
    })?;
    let within = |number, figure: Option<f64>, range| {
        figure.and_then(|figure| resamples.centred(number, figure, bootstrap.confidence, range))
    };
    let ends = |number, figure| within(number, figure, [-1.0, 1.0]);
    Ok(SystemFigures {
        tau: ends(0, figures.tau),
        tau_ap: ends(1, figures.tau_ap),
        spearman: ends(2, figures.spearman),
        pearson: ends(3, figures.pearson),
        rbo: within(4, figures.rbo, [0.0, 1.0]),
    })
}

/// The means of each system under the truth and under the other labels, each query multiplied with its weight. The
/// weights sum to the number of queries.
fn weighted_means(systems: &[SystemScores<'_>], weights: &[u32]) -> Vec<(f64, f64)> {
    let mean = |values: &[f64]| {
        let sum: f64 = values.iter().zip(weights).map(|(value, weight)| value * f64::from(*weight)).sum();
        sum / values.len() as f64
    };
    systems.iter().map(|system| (mean(system.truth), mean(system.other))).collect()
}
