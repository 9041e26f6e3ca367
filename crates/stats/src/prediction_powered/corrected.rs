//! A corrected figure: its estimand, inputs and early readings.

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::descriptive::variance;
use crate::distribution::student;
use crate::error::StatsError;

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

/// The quantity that a corrected figure estimates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Estimand {
    /// The figure of complete human labels of this pool. Labelling all of it leaves no uncertainty.
    TheseQueries,
    /// The mean over all queries of which these are a sample. Decisions are about this one.
    QueriesLikeThese,
}

/// Returns (Σ f²)² / Σ f⁴ of the judge's difference for each query: the number of queries that carry the comparison.
/// It is known before a label is bought. `None` if the judge sees no difference on any query.
///
/// Below 4, intervals from sampled queries are far too narrow: a sample easily misses the queries that matter. From 7
/// on they hold (simulated with the TREC 2019 Deep Learning runs).
pub fn effective_queries(differences: &[f64]) -> Option<f64> {
    let largest = differences.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    if largest == 0.0 {
        return None;
    }
    // Scaled, so that no fourth power overflows or vanishes.
    let squares = differences.iter().map(|value| (value / largest).powi(2));
    let (squares, fourths) = squares.fold((0.0, 0.0), |(sum, of_squares), x| (sum + x, of_squares + x * x));
    Some(squares * squares / fourths)
}

/// How often an interval is read while labels arrive.
///
/// An interval for a number of labels that was fixed beforehand errs at its stated rate. A reader who looks at it eight
/// times and stops when it excludes 0 errs 17.6% of the time instead of 5% (simulated on the TREC 2019 Deep Learning
/// labels).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Looks {
    /// Once: the number of labels was fixed before.
    #[default]
    Once,
    /// Any number of times: an asymptotic confidence sequence.
    AnyTime {
        /// The number of labels, or of queries where these are sampled, at which it is narrowest: the number that is
        /// planned.
        narrowest_at: usize,
    },
}

impl Looks {
    /// Returns the width relative to an interval that is read once, with `labels` of a frame of `frame`.
    ///
    /// Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, Time-uniform central limit theory and asymptotic confidence
    /// sequences, Annals of Statistics 2024, theorem 2.2 and appendix B.2 (the choice of ρ): half the width is
    /// σ·√(2(tρ²+1)/(t²ρ²)·ln(√(tρ²+1)/α)) with ρ² = (−2 ln α + ln(1 − 2 ln α))/t*. Of a finite frame, t is
    /// n/(1 − n/N), the time of the Brownian motion that its bridge is.
    pub(super) fn stretch(self, labels: usize, frame: Option<usize>, confidence: f64) -> f64 {
        let Self::AnyTime { narrowest_at } = self else { return 1.0 };
        let alpha = 1.0 - confidence;
        let time = |labels: usize| {
            let share = frame.map_or(0.0, |frame| labels as f64 / frame as f64);
            // A frame that is labelled whole has no uncertainty that could be stretched.
            labels as f64 / (1.0 - share).max(1e-9)
        };
        let chosen = -2.0 * alpha.ln() + (1.0 - 2.0 * alpha.ln()).ln();
        let x = chosen * time(labels.max(1)) / time(narrowest_at.max(1));
        let squared = 2.0 * (1.0 + 1.0 / x) * ((x + 1.0).sqrt() / alpha).ln();
        squared.sqrt() / student::critical(alpha / 2.0, 1e6)
    }
}

/// Returns the variance of a mean of which each query has contributed this share.
pub(super) fn over_queries(shares: &[f64]) -> Result<f64, StatsError> {
    let n = shares.len() as f64;
    let figures: Vec<f64> = shares.iter().map(|share| share * n).collect();
    variance(&figures)
        .map(|variance| variance / n)
        .ok_or(StatsError::TooFewLabels { labels: shares.len(), needed: 2 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_differences_all_count_and_one_large_one_counts_alone() {
        assert_eq!(effective_queries(&[0.2, -0.2, 0.2, 0.2]), Some(4.0));
        assert!(effective_queries(&[1.0, 0.01, 0.01, -0.01]).is_some_and(|n| (n - 1.0).abs() < 0.001));
        assert_eq!(effective_queries(&[0.0, 0.0]), None);
        assert_eq!(effective_queries(&[]), None);
        assert_eq!(effective_queries(&[1e-200, 1e-200]), Some(2.0));
    }

    // From the formula with numpy: t = t* = 100, α = .05 gives 3.0356 standard errors, over the normal 1.9600.
    #[test]
    fn at_its_narrowest_it_is_half_again_as_wide() {
        let stretch = Looks::AnyTime { narrowest_at: 100 }.stretch(100, None, 0.95);
        assert!((stretch * 1.959_966 - 3.0356).abs() < 2e-3, "{stretch}");
        for labels in [10, 50, 200, 1_000] {
            assert!(Looks::AnyTime { narrowest_at: 100 }.stretch(labels, None, 0.95) > stretch * 0.97);
        }
        assert_eq!(Looks::Once.stretch(10, None, 0.95), 1.0);
    }

    #[test]
    fn a_finite_frame_has_its_own_time() {
        let planned = Looks::AnyTime { narrowest_at: 50 };
        let ends = [1, 50, 99, 100].map(|labels| planned.stretch(labels, Some(100), 0.95));
        assert!(ends.iter().all(|stretch| stretch.is_finite() && *stretch > 1.0), "{ends:?}");
    }
}
