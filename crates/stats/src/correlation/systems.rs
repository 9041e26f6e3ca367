//! Whether two label sets rank systems alike.

use serde::Serialize;

use super::{kendall_tau_b, pearson, rank_biased_overlap, spearman, tau_ap_b};
use crate::agreement::{Draws, Ends};
use crate::bootstrap::BootstrapOptions;
use crate::error::StatsError;

/// One system, measured under two label sets: a value for each query, over the same queries in the same order for every system.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SystemScores<'a> {
    /// The system's name.
    pub name: &'a str,
    /// Its values under the truth.
    pub truth: &'a [f64],
    /// Its values under the other labels.
    pub other: &'a [f64],
}

/// How to compare the rankings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SystemOptions {
    /// The p of [`rank_biased_overlap`]; 0.9 unless changed.
    pub persistence: f64,
    /// How to resample queries for intervals. Without it there are none.
    pub bootstrap: Option<BootstrapOptions>,
}

impl Default for SystemOptions {
    fn default() -> Self {
        Self { persistence: 0.9, bootstrap: None }
    }
}

/// How alike two rankings of systems are. `T` is a figure (`Option<f64>`) or its interval (`Option<Ends>`).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SystemFigures<T> {
    /// [`kendall_tau_b`].
    pub tau: T,
    /// [`tau_ap_b`]: the top counts more, neither side is the truth.
    pub tau_ap: T,
    /// [`spearman`].
    pub spearman: T,
    /// [`pearson`], of the means themselves.
    pub pearson: T,
    /// [`rank_biased_overlap`].
    pub rbo: T,
}

/// Where a system stands under both label sets.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RankChange {
    /// The system.
    pub system: String,
    /// Its mean under the truth.
    pub truth: f64,
    /// Its mean under the other labels.
    pub other: f64,
    /// Its rank from 1 under the truth: one more than there are better systems.
    pub truth_rank: usize,
    /// The same under the other labels.
    pub other_rank: usize,
    /// How many ranks it falls under the other labels; below 0 when it rises.
    pub drop: i64,
}

/// How alike two label sets rank systems.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SystemAgreement {
    /// How many systems.
    pub n: usize,
    /// Over how many queries each is averaged.
    pub queries: usize,
    /// The figures; all `None` with fewer than three systems, of which nothing but "alike" or "reversed" could be said.
    #[serde(flatten)]
    pub figures: SystemFigures<Option<f64>>,
    /// Their intervals over resampled queries, if they were asked for: where the figure would lie for other queries, as many as these.
    /// Resampled means are noisier than the means at hand, so that resampled rankings agree less, and plain percentiles can lie
    /// wholly below the figure. These intervals are as wide, but stand about the figure: the basic bootstrap with deviations from the
    /// median of the resamples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ci: Option<SystemFigures<Option<Ends>>>,
    /// For each query, [`kendall_tau_b`] of the systems' values on it; `None` where all systems are tied on one side.
    pub tau_by_query: Vec<Option<f64>>,
    /// The mean of these where they are defined.
    pub mean_tau_by_query: Option<f64>,
    /// Every system, the largest drop first, then by rank under the truth and by name.
    pub changes: Vec<RankChange>,
}

/// Why rankings cannot be compared.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SystemError {
    /// There is no query.
    #[error("there is no query to average over")]
    NoQueries,
    /// A system has another number of values than the first.
    #[error("{system} has values for {truth} and {other} queries, not {expected} under both label sets")]
    Unaligned {
        /// The system.
        system: String,
        /// How many values it has under the truth.
        truth: usize,
        /// How many under the other labels.
        other: usize,
        /// How many the first system has under the truth.
        expected: usize,
    },
    /// A value is NaN or infinite.
    #[error("{system} has the value {value} on query {query} (counted from 0), which is not a finite number")]
    NotFinite {
        /// The system.
        system: String,
        /// The number of the query.
        query: usize,
        /// The value.
        value: f64,
    },
    /// A persistence is a share strictly between 0 and 1.
    #[error("a persistence of {0} cannot be: it lies between 0 and 1, 0.9 for instance")]
    Persistence(f64),
    /// The intervals that were asked for cannot be.
    #[error(transparent)]
    Bootstrap(#[from] StatsError),
}

/// How alike two label sets rank systems by their means over queries.
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
/// When a system lacks values or one is not finite, there is no query, or the options cannot be. No system is no error.
pub fn system_agreement(
    systems: &[SystemScores<'_>],
    options: &SystemOptions,
) -> Result<SystemAgreement, SystemError> {
    let persistence = options.persistence;
    if !(persistence > 0.0 && persistence < 1.0) {
        return Err(SystemError::Persistence(persistence));
    }
    let queries = check(systems)?;
    let means = |weights: &[u32]| -> Vec<(f64, f64)> {
        systems.iter().map(|system| (mean(system.truth, weights), mean(system.other, weights))).collect()
    };
    let all = means(&vec![1; queries]);
    let figures = figures(&all, persistence);
    let ci = match &options.bootstrap {
        None => None,
        Some(bootstrap) => {
            let draws = Draws::new(queries, bootstrap, |weights| {
                let SystemFigures { tau, tau_ap, spearman, pearson, rbo } =
                    self::figures(&means(weights), persistence);
                vec![tau, tau_ap, spearman, pearson, rbo]
            })?;
            let within = |number, figure: Option<f64>, range| {
                figure.and_then(|figure| draws.centred(number, figure, bootstrap.confidence, range))
            };
            let ends = |number, figure| within(number, figure, [-1.0, 1.0]);
            Some(SystemFigures {
                tau: ends(0, figures.tau),
                tau_ap: ends(1, figures.tau_ap),
                spearman: ends(2, figures.spearman),
                pearson: ends(3, figures.pearson),
                rbo: within(4, figures.rbo, [0.0, 1.0]),
            })
        }
    };
    let tau_by_query: Vec<Option<f64>> = (0..queries)
        .map(|query| {
            let values = systems.iter().map(|system| (system.truth[query], system.other[query]));
            kendall_tau_b(&values.collect::<Vec<_>>())
        })
        .collect();
    let defined: Vec<f64> = tau_by_query.iter().flatten().copied().collect();
    let mean_tau_by_query = (!defined.is_empty()).then(|| defined.iter().sum::<f64>() / defined.len() as f64);
    let changes = changes(systems, &all);
    Ok(SystemAgreement { n: systems.len(), queries, figures, ci, tau_by_query, mean_tau_by_query, changes })
}

/// How many queries there are, the same for all.
fn check(systems: &[SystemScores<'_>]) -> Result<usize, SystemError> {
    let Some(first) = systems.first() else { return Ok(0) };
    let expected = first.truth.len();
    if expected == 0 {
        return Err(SystemError::NoQueries);
    }
    for system in systems {
        let (truth, other) = (system.truth.len(), system.other.len());
        if truth != expected || other != expected {
            return Err(SystemError::Unaligned { system: system.name.to_owned(), truth, other, expected });
        }
        for values in [system.truth, system.other] {
            if let Some((query, value)) = values.iter().enumerate().find(|(_, value)| !value.is_finite()) {
                return Err(SystemError::NotFinite { system: system.name.to_owned(), query, value: *value });
            }
        }
    }
    Ok(expected)
}

/// The mean over the queries, each as often as it weighs; the weights sum to their number.
fn mean(values: &[f64], weights: &[u32]) -> f64 {
    let sum: f64 = values.iter().zip(weights).map(|(value, weight)| value * f64::from(*weight)).sum();
    sum / values.len() as f64
}

fn figures(means: &[(f64, f64)], persistence: f64) -> SystemFigures<Option<f64>> {
    if means.len() < 3 {
        return SystemFigures { tau: None, tau_ap: None, spearman: None, pearson: None, rbo: None };
    }
    SystemFigures {
        tau: kendall_tau_b(means),
        tau_ap: tau_ap_b(means),
        spearman: spearman(means),
        pearson: pearson(means),
        rbo: rank_biased_overlap(means, persistence),
    }
}

fn changes(systems: &[SystemScores<'_>], means: &[(f64, f64)]) -> Vec<RankChange> {
    let rank =
        |mean: f64, side: fn(&(f64, f64)) -> f64| 1 + means.iter().filter(|other| side(other) > mean).count();
    let mut changes: Vec<RankChange> = systems
        .iter()
        .zip(means)
        .map(|(system, (truth, other))| {
            let (truth_rank, other_rank) = (rank(*truth, |means| means.0), rank(*other, |means| means.1));
            RankChange {
                system: system.name.to_owned(),
                truth: *truth,
                other: *other,
                truth_rank,
                other_rank,
                drop: other_rank as i64 - truth_rank as i64,
            }
        })
        .collect();
    changes.sort_by(|a, b| {
        b.drop.cmp(&a.drop).then(a.truth_rank.cmp(&b.truth_rank)).then(a.system.cmp(&b.system))
    });
    changes
}
