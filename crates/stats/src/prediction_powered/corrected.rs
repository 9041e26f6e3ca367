//! A figure after correction, with what it was made of.

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
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end of its interval.
    pub high: f64,
}

/// A figure corrected by a sample of people's labels.
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
    /// What is estimated.
    pub estimand: Estimand,
    /// The degrees of freedom of Student's quantile in the interval.
    pub degrees: f64,
    /// The part of the variance that more labels would remove.
    pub judge_variance: f64,
    /// The part of the variance that only more queries would remove; 0 for [`Estimand::TheseQueries`].
    pub query_variance: f64,
    /// The variance between queries, in two parts that tell what more labels would leave of it.
    pub between_queries: BetweenQueries,
    /// The same from the sample alone, without the judge.
    pub human_only: PlainEstimate,
    /// What the judge's labels alone say.
    pub judge_only: f64,
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
    /// Returns the variance to expect if the labels' part were `labels` times what it is, and the queries' part
    /// `queries` times.
    pub fn variance_at(&self, labels: f64, queries: f64) -> f64 {
        let between = self.between_queries;
        (self.judge_variance * labels).max(between.of_labels * labels + between.of_queries * queries)
    }

    /// Returns what Student's quantile would be with so many more degrees of freedom, as a share of what it is: at most
    /// 1, and well below it where there are few.
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

/// Returns Student's quantile. It takes most of the time of a correction, and a few degrees of freedom come back at
/// every draw of a simulation, and at every figure of a report, so that those of a thread are kept.
fn quantile(degrees: f64, confidence: f64) -> f64 {
    /// So many are kept, which is more than one report has.
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
