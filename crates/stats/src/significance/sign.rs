//! The sign test.

use super::method::Method;
use super::test_result::{TestResult, two_sided};
use crate::error::StatsError;
use crate::paired::Paired;

/// Tests whether wins and losses could be equally likely: the exact binomial test of the wins among the queries on
/// which the two differ (Dixon and Mood, The statistical sign test, JASA 41(236), 1946). Ties, to 12 significant
/// digits, are left out.
///
/// As `scipy.stats.binomtest(wins, wins + losses)` and `statsmodels`' `sign_test`. Without a win or a loss p is 1.
///
/// # Errors
/// Returns an error if the two lists differ in length or are empty, or a value is not finite.
pub fn sign_test(baseline: &[f64], candidate: &[f64]) -> Result<TestResult, StatsError> {
    let paired = Paired::of(baseline, candidate)?;
    let (wins, differing) = (paired.wins(), paired.differing());
    let at_least = heads_at_least(wins, differing);
    let at_most = heads_at_least(differing - wins, differing);
    Ok(TestResult {
        method: Method::Binomial,
        n: paired.n(),
        differing,
        mean: paired.mean(),
        statistic: Some(wins as f64),
        p: Some(two_sided(at_most, at_least)),
        undefined: None,
    })
}

/// Returns the probability of at least `heads` heads in `tosses` of a fair coin. The largest term is computed by
/// logarithms, the others by their ratios; they are added from the smallest up.
fn heads_at_least(heads: usize, tosses: usize) -> f64 {
    if 2 * heads <= tosses {
        // More than one half: computed from the other side, which is small.
        return if heads == 0 { 1.0 } else { 1.0 - heads_at_least(tosses - heads + 1, tosses) };
    }
    let (n, k) = (tosses as f64, heads as f64);
    let first = libm::exp(
        libm::lgamma(n + 1.0)
            - libm::lgamma(k + 1.0)
            - libm::lgamma(n - k + 1.0)
            - n * std::f64::consts::LN_2,
    );
    let mut terms = vec![first];
    let mut term = first;
    for k in heads..tosses {
        term *= (tosses - k) as f64 / (k + 1) as f64;
        if term < first * 1e-18 {
            break;
        }
        terms.push(term);
    }
    terms.iter().rev().sum::<f64>().min(1.0)
}
