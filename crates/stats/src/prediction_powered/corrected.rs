//! A corrected figure, with its inputs.

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde::Serialize;

use super::estimand::Estimand;
use crate::distribution::student;

/// An estimate with its interval, from one source of labels alone.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PlainEstimate {
    /// The estimate.
    pub value: f64,
    /// The lower end of its interval; -∞ if there are too few labels for one.
    pub low: f64,
    /// The upper end of its interval; ∞ if there are too few labels for one.
    pub high: f64,
}

/// A figure corrected by a human sample.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Corrected {
    /// The estimate.
    pub value: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end of its interval.
    pub high: f64,
    /// The number of units of the frame: pairs, or queries.
    pub frame: usize,
    /// The number of units that people labelled.
    pub labels: usize,
    /// How much of the judge's figure is used, from 0 to 1. `None` if its grades are strata, and not a regressor.
    pub lambda: Option<f64>,
    /// The estimated quantity.
    pub estimand: Estimand,
    /// The degrees of freedom of Student's quantile in the interval.
    pub degrees: f64,
    /// The part of the variance that more labels would remove.
    pub judge_variance: f64,
    /// The part of the variance that only more queries would remove; 0 for [`Estimand::TheseQueries`].
    pub query_variance: f64,
    /// The part of the variance that unknown divisors add, such as the ideals of nDCG.
    pub divisor_variance: DivisorVariance,
    /// The variance between queries, in two parts: the remaining one, and the one that more labels reduce.
    pub between_queries: BetweenQueries,
    /// The same from the sample alone, without the judge: of pairs centred at their mean label.
    pub human_only: PlainEstimate,
    /// The figure by the judge's labels alone.
    pub judge_only: f64,
}

/// The variance that unknown divisors of queries add to a difference.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct DivisorVariance {
    /// The part of each divisor's own error. It falls as one over the number of queries, and with the unlabelled share.
    pub scatter: f64,
    /// The part of the error that all divisors have in common, which stays until every label is known.
    pub common: f64,
    /// The share of the labels that divisors are guessed from: the mean over queries, by their part of the scatter.
    pub unlabelled: f64,
}

impl DivisorVariance {
    /// Returns both parts.
    pub fn sum(&self) -> f64 {
        self.scatter + self.common
    }

    /// Returns what is left with so many times the labels and so many times the queries.
    pub fn with(&self, labels: f64, queries: f64) -> Self {
        let unlabelled = 1.0 - (1.0 - self.unlabelled) * labels / queries;
        // Below, every label is known, but for rounding.
        if unlabelled < 1e-9 || self.unlabelled <= 0.0 {
            return Self::default();
        }
        let scatter = self.scatter * unlabelled / self.unlabelled / queries;
        Self { scatter, common: self.common, unlabelled }
    }
}

/// The variance of the queries' estimated figures.
///
/// [`Corrected::judge_variance`] has a prior, so that a few equal labels do not seem certain. Subtracted from the
/// variance between queries, it would take too much away, and intervals with more labels would seem too narrow.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct BetweenQueries {
    /// The part that missing labels cause.
    pub of_labels: f64,
    /// The part that is left when every unit of the frame is labelled.
    pub of_queries: f64,
}

impl BetweenQueries {
    /// Splits the variance over queries, of which missing labels cause about `of_labels`.
    pub(super) fn new(over_queries: f64, of_labels: f64) -> Self {
        let of_labels = of_labels.min(over_queries);
        Self { of_labels, of_queries: over_queries - of_labels }
    }
}

impl Corrected {
    /// Returns the expected variance if the labels' part were multiplied by `labels`, and the queries' part by
    /// `queries`, without the part of [`divisors`](Self::divisor_variance).
    pub fn variance_at(&self, labels: f64, queries: f64) -> f64 {
        let between = self.between_queries;
        (self.judge_variance * labels).max(between.of_labels * labels + between.of_queries * queries)
    }

    /// Returns the ratio of Student's quantile with this many further degrees of freedom to the present one: at most 1,
    /// and well below it if there are few.
    pub fn quantile_with(&self, more: f64, confidence: f64) -> f64 {
        quantile(self.degrees + more.max(0.0), confidence) / quantile(self.degrees, confidence)
    }
}

/// Returns the ends of an interval: estimate plus and minus Student's quantile times the standard error, `stretch`
/// times as wide.
pub(super) fn interval(
    value: f64,
    variance: f64,
    degrees: f64,
    confidence: f64,
    stretch: f64,
) -> PlainEstimate {
    let half = stretch * quantile(degrees, confidence) * variance.max(0.0).sqrt();
    // An exact figure has an interval of one point, whatever the degrees of freedom.
    let half = if variance <= 0.0 { 0.0 } else { half };
    PlainEstimate { value, low: value - half, high: value + half }
}

/// Returns Student's quantile. It takes most of the time of a correction, and a few degrees of freedom recur at every
/// draw of a simulation, and at every figure of a report. So each thread saves its quantiles.
fn quantile(degrees: f64, confidence: f64) -> f64 {
    /// The most saved quantiles of a thread, more than one report has.
    const KEPT: usize = 1_024;
    thread_local! {
        static KNOWN: RefCell<BTreeMap<(u64, u64), f64>> = const { RefCell::new(BTreeMap::new()) };
    }
    KNOWN.with_borrow_mut(|known| {
        if known.len() >= KEPT {
            known.clear();
        }
        let compute = || student::critical((1.0 - confidence) / 2.0, degrees);
        *known.entry((degrees.to_bits(), confidence.to_bits())).or_insert_with(compute)
    })
}
