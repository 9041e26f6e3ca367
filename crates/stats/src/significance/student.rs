//! The paired t test and its interval.

use serde::Serialize;

use super::alternative::Alternative;
use super::method::Method;
use super::test_result::TestResult;
use crate::distribution::student;
use crate::error::StatsError;
use crate::paired::Paired;
use crate::undefined::Undefined;

/// Tests the differences over the same queries by Student's t: the mean difference over its standard error, with n - 1
/// degrees of freedom (Student, The probable error of a mean, Biometrika 6(1), 1908). As
/// `scipy.stats.ttest_rel(candidate, baseline)`.
///
/// It assumes normal differences; for 30 queries and more it agrees closely with the permutation test (Smucker, Allan
/// and Carterette, CIKM 2007; Urbano, Lima and Hanjalic, SIGIR 2019). There is no p for a single query, for two systems
/// that are equal everywhere (0 / 0), or for differences that are all the same.
///
/// ```
/// use llull_stats::{Alternative, paired_t_test};
///
/// // scipy 1.17.1: ttest_rel(candidate, baseline).pvalue
/// let test = paired_t_test(&[0.2, 0.4, 0.1, 0.5], &[0.5, 0.6, 0.4, 0.9], Alternative::TwoSided)?;
/// assert!(test.p.is_some_and(|p| (p - 0.005207858944662818).abs() < 1e-12));
/// assert_eq!(test.method.to_string(), "Student's t, 3 degrees of freedom");
/// # Ok::<(), llull_stats::StatsError>(())
/// ```
///
/// # Errors
/// Returns an error if the two lists differ in length or are empty, or a value is not finite.
pub fn paired_t_test(
    baseline: &[f64],
    candidate: &[f64],
    alternative: Alternative,
) -> Result<TestResult, StatsError> {
    let paired = Paired::of(baseline, candidate)?;
    let degrees = (paired.n() - 1) as f64;
    let t = statistic(&paired, 0.0);
    let p = t.ok().map(|t| alternative.p(student::above(-t, degrees), student::above(t, degrees)));
    Ok(TestResult {
        method: Method::StudentT { degrees },
        alternative,
        n: paired.n(),
        differing: paired.differing(),
        mean: paired.mean(),
        statistic: t.ok(),
        p,
        undefined: t.err(),
    })
}

/// Returns how many standard errors the mean difference lies above `centre`.
pub(super) fn statistic(paired: &Paired, centre: f64) -> Result<f64, Undefined> {
    let distance = paired.mean() - centre;
    match paired.deviation() {
        None => Err(Undefined::TooFew { n: paired.n(), needed: 2 }),
        Some(0.0) if distance.abs() <= paired.noise => Err(Undefined::Identical),
        Some(0.0) => Err(Undefined::NoSpread),
        Some(deviation) if !deviation.is_finite() => Err(Undefined::OutOfRange),
        Some(deviation) => {
            let t = distance / (deviation / (paired.n() as f64).sqrt());
            if t.is_finite() { Ok(t) } else { Err(Undefined::OutOfRange) }
        }
    }
}

/// A mean difference with its t interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct StudentInterval {
    /// The number of queries.
    pub n: usize,
    /// The mean difference.
    pub mean: f64,
    /// The standard error of the mean; `None` for a single query.
    pub error: Option<f64>,
    /// The lower end; `None` for a single query.
    pub low: Option<f64>,
    /// The upper end; `None` for a single query.
    pub high: Option<f64>,
    /// The share of such intervals that hold the true mean.
    pub confidence: f64,
}

/// Returns the mean difference with the interval of [`paired_t_test`]: it excludes 0 exactly if the two-sided p is
/// below 1 - `confidence`. As `scipy.stats.ttest_rel(...).confidence_interval()`.
///
/// # Errors
/// Returns an error if the two lists differ in length or are empty, a value is not finite, or the confidence is not
/// between 0 and 1.
pub fn paired_t_interval(
    baseline: &[f64],
    candidate: &[f64],
    confidence: f64,
) -> Result<StudentInterval, StatsError> {
    StatsError::unless_confidence(confidence)?;
    let paired = Paired::of(baseline, candidate)?;
    let (n, mean) = (paired.n(), paired.mean());
    let error = paired.deviation().map(|deviation| deviation / (n as f64).sqrt());
    let half = error.map(|error| error * student::critical((1.0 - confidence) / 2.0, (n - 1) as f64));
    let (low, high) = (half.map(|half| mean - half), half.map(|half| mean + half));
    Ok(StudentInterval { n, mean, error, low, high, confidence })
}
