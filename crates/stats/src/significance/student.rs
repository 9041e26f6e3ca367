//! The paired t test.

use super::method::Method;
use super::test_result::{TestResult, two_sided};
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
/// use llull_stats::paired_t_test;
///
/// // scipy 1.17.1: ttest_rel(candidate, baseline).pvalue
/// let test = paired_t_test(&[0.2, 0.4, 0.1, 0.5], &[0.5, 0.6, 0.4, 0.9])?;
/// assert!(test.p.is_some_and(|p| (p - 0.005207858944662818).abs() < 1e-12));
/// assert_eq!(test.method.to_string(), "Student's t, 3 degrees of freedom");
/// # Ok::<(), llull_stats::StatsError>(())
/// ```
///
/// # Errors
/// Returns an error if the two lists differ in length or are empty, or a value is not finite.
pub fn paired_t_test(baseline: &[f64], candidate: &[f64]) -> Result<TestResult, StatsError> {
    let paired = Paired::of(baseline, candidate)?;
    let degrees = (paired.n() - 1) as f64;
    let t = statistic(&paired, 0.0);
    let p = t.ok().map(|t| two_sided(student::above(-t, degrees), student::above(t, degrees)));
    Ok(TestResult {
        method: Method::StudentT { degrees },
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
