//! The agreement of two label sets about the order of systems.

use serde::Serialize;

use super::coefficients::{kendall_tau_b, pearson, rank_biased_overlap, spearman, tau_ap_b};
use crate::bootstrap::{BootstrapOptions, ClusterResamples, Ends};
use crate::descriptive::mean;
use crate::error::{StatsError, is_inside_unit};

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

/// One system, measured under two label sets: a value for each query, over the same queries in the same order for every
/// system.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SystemScores<'a> {
    /// The name of the system.
    pub name: &'a str,
    /// Its values under the truth.
    pub truth: &'a [f64],
    /// Its values under the other labels.
    pub other: &'a [f64],
}

/// Why rankings of systems cannot be compared.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SystemError {
    /// There are no queries.
    #[error("there is no query to average over")]
    NoQueries,
    /// A system has another number of values than the first.
    #[error("{system} has values for {truth} and {other} queries, not {expected} under both label sets")]
    Unaligned {
        /// The system.
        system: String,
        /// The number of its values under the truth.
        truth: usize,
        /// The number of its values under the other labels.
        other: usize,
        /// The number of values of the first system under the truth.
        expected: usize,
    },
    /// A value is NaN or infinite.
    #[error("{system} has the value {value} on query {query} (counted from 0), which is not a finite number")]
    NotFinite {
        /// The system.
        system: String,
        /// The position of the query.
        query: usize,
        /// The value.
        value: f64,
    },
    /// A persistence is not strictly between 0 and 1.
    #[error("the persistence {0} is not between 0 and 1: use 0.9, for instance")]
    Persistence(f64),
    /// The parameters of the intervals are invalid.
    #[error(transparent)]
    Bootstrap(#[from] StatsError),
}

/// Returns the number of queries, which is the same for all systems; 0 without systems.
fn query_count(systems: &[SystemScores<'_>]) -> Result<usize, SystemError> {
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

/// The conclusion of one label set about a pair of systems.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Conclusion {
    /// Above 0 if the first system is the better one: its mean less the second's, or the
    /// [sign](crate::Direction::sign) of the figure that the test compares.
    pub difference: f64,
    /// The p of no difference, corrected for the number of pairs if desired; `None` if it is undefined, which counts as
    /// not significant.
    pub p: Option<f64>,
}

/// How many pairs of systems lead to the same conclusion under two label sets. Active: significant under both; mixed:
/// under one of the two; passive: under neither.
///
/// The six kinds are those of Moffat, Scholer and Thomas, Models and metrics: IR evaluation as a user process, ADCS
/// 2012. A difference of exactly 0 counts as agreement.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ConclusionCounts {
    /// Significant under both, the same system better.
    pub active_agreements: u64,
    /// Significant under both, and not the same system better: the two label sets contradict each other.
    pub active_disagreements: u64,
    /// Significant under one only, the same system ahead.
    pub mixed_agreements: u64,
    /// Significant under one only, and not the same system ahead.
    pub mixed_disagreements: u64,
    /// Significant under neither, the same system ahead.
    pub passive_agreements: u64,
    /// Significant under neither, and not the same system ahead.
    pub passive_disagreements: u64,
    /// Significant under the truth, with any result under the other labels.
    pub significant_truth: u64,
    /// Significant under the other labels, with any result under the truth.
    pub significant_other: u64,
}

impl ConclusionCounts {
    /// Counts pairs of systems, each with the conclusions of the truth and of the other labels. A conclusion is
    /// significant if its p is at most `level`, which is usually 0.05.
    ///
    /// ```
    /// use llull_stats::{Conclusion, ConclusionCounts};
    ///
    /// let says = |difference, p| Conclusion { difference, p: Some(p) };
    /// let counts = ConclusionCounts::of(
    ///     [
    ///         (says(0.2, 0.01), says(0.1, 0.03)),
    ///         (says(0.2, 0.01), says(0.0, 0.5)),
    ///         (says(0.1, 0.2), says(-0.3, 0.3)),
    ///     ],
    ///     0.05,
    /// );
    /// assert_eq!((counts.active_agreements, counts.mixed_agreements, counts.passive_disagreements), (1, 1, 1));
    /// assert_eq!((counts.significant_truth, counts.significant_other), (2, 1));
    /// assert_eq!(counts.pairs(), 3);
    /// ```
    pub fn of(pairs: impl IntoIterator<Item = (Conclusion, Conclusion)>, level: f64) -> Self {
        let mut counts = Self::default();
        let significant = |conclusion: &Conclusion| conclusion.p.is_some_and(|p| p <= level);
        for (truth, other) in pairs {
            let opposed = (truth.difference > 0.0 && other.difference < 0.0)
                || (truth.difference < 0.0 && other.difference > 0.0);
            let (in_truth, in_other) = (significant(&truth), significant(&other));
            counts.significant_truth += u64::from(in_truth);
            counts.significant_other += u64::from(in_other);
            let kind = match (in_truth, in_other, opposed) {
                (true, true, false) => &mut counts.active_agreements,
                (true, true, true) => &mut counts.active_disagreements,
                (false, false, false) => &mut counts.passive_agreements,
                (false, false, true) => &mut counts.passive_disagreements,
                (_, _, false) => &mut counts.mixed_agreements,
                (_, _, true) => &mut counts.mixed_disagreements,
            };
            *kind += 1;
        }
        counts
    }

    /// Returns the number of counted pairs.
    pub fn pairs(&self) -> u64 {
        let Self {
            active_agreements,
            active_disagreements,
            mixed_agreements,
            mixed_disagreements,
            passive_agreements,
            passive_disagreements,
            ..
        } = self;
        active_agreements
            + active_disagreements
            + mixed_agreements
            + mixed_disagreements
            + passive_agreements
            + passive_disagreements
    }
}

/// The ranks of one system under both label sets.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RankChange {
    /// The system.
    pub system: String,
    /// Its mean under the truth.
    pub truth: f64,
    /// Its mean under the other labels.
    pub other: f64,
    /// Its rank under the truth: 1 plus the number of better systems.
    pub truth_rank: usize,
    /// Its rank under the other labels.
    pub other_rank: usize,
    /// How many ranks it falls under the other labels; below 0 if it rises.
    pub drop: i64,
}

/// Returns the change of every system, the largest drop first, then by rank under the truth and by name. `means` are
/// those under the truth and under the other labels.
fn rank_changes(systems: &[SystemScores<'_>], means: &[(f64, f64)]) -> Vec<RankChange> {
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
