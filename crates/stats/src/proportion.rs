//! Shares, and exact intervals and tests of them.

use serde::Serialize;

use crate::distribution::{beta, normal, student};
use crate::error::StatsError;

/// A count among `n` things, with Wilson's score interval for the share.
///
/// Wilson, Probable inference, the law of succession, and statistical inference, JASA 22(158), 1927. The interval stays
/// within 0 and 1 and is reliable for few things and for shares near the ends (Brown, Cai and DasGupta, Interval
/// estimation for a binomial proportion, Statistical Science 16(2), 2001). It assumes independent things; pairs that
/// share a document or a query are not quite independent, so for them it is somewhat too narrow.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Proportion {
    /// The number of things that are counted.
    pub count: u64,
    /// The number of all things.
    pub n: u64,
    /// The share, from 0 to 1; `None` if `n` is 0.
    pub share: Option<f64>,
    /// The lower end of the interval; `None` if `n` is 0.
    pub low: Option<f64>,
    /// The upper end of the interval; `None` if `n` is 0.
    pub high: Option<f64>,
}

impl Proportion {
    /// Returns `count` of `n` with an interval that holds the true share with this confidence, such as 0.95.
    ///
    /// ```
    /// use llull_stats::Proportion;
    ///
    /// let right = Proportion::new(75, 100, 0.95)?;
    /// assert_eq!(right.share, Some(0.75));
    /// assert!(right.low.is_some_and(|low| (low - 0.656955364519384).abs() < 1e-12));
    /// # Ok::<(), llull_stats::StatsError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the confidence is not between 0 and 1, or `count` is above `n`.
    pub fn new(count: u64, n: u64, confidence: f64) -> Result<Self, StatsError> {
        StatsError::unless_confidence(confidence)?;
        if count > n {
            return Err(StatsError::Share { count, n });
        }
        if n == 0 {
            return Ok(Self { count, n, share: None, low: None, high: None });
        }
        let (hits, all) = (count as f64, n as f64);
        let share = hits / all;
        let z = normal::two_sided(confidence);
        let square = z * z;
        let centre = (hits + square / 2.0) / (all + square);
        let half = z / (all + square) * (share * (1.0 - share) * all + square / 4.0).sqrt();
        // Rounding must not leave a share of 0 or 1 outside of its own interval.
        let low = if count == 0 { 0.0 } else { (centre - half).max(0.0) };
        let high = if count == n { 1.0 } else { (centre + half).min(1.0) };
        Ok(Self { count, n, share: Some(share), low: Some(low), high: Some(high) })
    }
}

/// Returns the interval of Clopper and Pearson for a share: no true share outside of it would give a count as far off
/// in that direction with more than half of what the confidence leaves.
///
/// Clopper and Pearson, The use of confidence or fiducial limits illustrated in the case of the binomial, Biometrika
/// 26(4), 1934. Its coverage is never below its confidence. `count` and `n` need not be whole numbers, so that it also
/// holds for counts of things that are worth less than independent ones (Korn and Graubard, Confidence intervals for
/// proportions with small expected number of positive counts estimated from survey data, Survey Methodology 24(2),
/// 1998).
///
/// ```
/// let (low, high) = llull_stats::exact_interval(9.0, 30.0, 0.95)?;
/// assert!((low - 0.147345).abs() < 1e-6 && (high - 0.493959).abs() < 1e-6);
/// # Ok::<(), llull_stats::StatsError>(())
/// ```
///
/// # Errors
/// Returns an error if the confidence is not between 0 and 1, or the count is not one of `n` things, or `n` is 0.
pub fn exact_interval(count: f64, n: f64, confidence: f64) -> Result<(f64, f64), StatsError> {
    StatsError::unless_confidence(confidence)?;
    if !(n > 0.0 && n.is_finite() && (0.0..=n).contains(&count)) {
        return Err(StatsError::NoShare { count, n });
    }
    let tail = (1.0 - confidence) / 2.0;
    let low = if count == 0.0 { 0.0 } else { beta::quantile(tail, count, n - count + 1.0) };
    let high = if count == n { 1.0 } else { beta::quantile(1.0 - tail, count + 1.0, n - count) };
    Ok((low, high))
}

/// Returns the chance of at least `count` among `n` independent things that each count with chance `share`: the p of
/// the exact test of "at most `share`". 1 for a count of 0 and for no things at all.
pub fn chance_of_at_least(count: f64, n: f64, share: f64) -> f64 {
    if count <= 0.0 || n <= 0.0 {
        return 1.0;
    }
    beta::cdf(share, count, (n - count).max(0.0) + 1.0)
}

/// Returns the chance of at most `count` among `n` independent things that each count with chance `share`: the p of
/// the exact test of "at least `share`".
pub fn chance_of_at_most(count: f64, n: f64, share: f64) -> f64 {
    chance_of_at_least(n - count, n, 1.0 - share)
}

/// Returns the two-sided p of McNemar's exact test: whether changes in one direction are as frequent as changes in the
/// other. 1 without changes.
///
/// McNemar, Note on the sampling error of the difference between correlated proportions or percentages, Psychometrika
/// 12(2), 1947, by the binomial distribution, as `statsmodels.stats.contingency_tables.mcnemar` with `exact=True`.
///
/// ```
/// assert!((llull_stats::mcnemar_exact(12, 3) - 0.03515625).abs() < 1e-12);
/// ```
pub fn mcnemar_exact(one_way: u64, other_way: u64) -> f64 {
    let n = (one_way + other_way) as f64;
    (2.0 * chance_of_at_most(one_way.min(other_way) as f64, n, 0.5)).min(1.0)
}

/// Returns the chance that a variable with Student's t distribution lies above `t`, for `degrees` of freedom above 0.
pub fn student_above(t: f64, degrees: f64) -> f64 {
    student::above(t, degrees)
}

/// Returns the value above which a variable with Student's t distribution lies with chance `p`, strictly between 0 and
/// 1, for `degrees` of freedom above 0.
pub fn student_critical(p: f64, degrees: f64) -> f64 {
    student::critical(p, degrees)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// statsmodels 0.14: `proportion_confint(count, n, method="beta")`.
    #[test]
    fn the_interval_is_that_of_statsmodels() {
        for (count, n, low, high) in [
            (0.0, 30.0, 0.0, 0.1157033082220278),
            (9.0, 30.0, 0.14734518475470101, 0.4939590414625537),
            (21.0, 60.0, 0.23132642214845994, 0.48402800937056695),
            (3.0, 419.0, 0.001478985331042605, 0.02078070620039665),
            (30.0, 30.0, 0.8842966917779722, 1.0),
        ] {
            let got = exact_interval(count, n, 0.95).unwrap();
            assert!((got.0 - low).abs() < 1e-10 && (got.1 - high).abs() < 1e-10, "{count} of {n}: {got:?}");
        }
        assert!(exact_interval(1.0, 0.0, 0.95).is_err());
        assert!(exact_interval(3.0, 2.0, 0.95).is_err());
        assert!(exact_interval(1.0, 2.0, 1.0).is_err());
    }

    /// scipy 1.17.1: `stats.binom.sf(count - 1, n, share)` and `stats.binom.cdf(count, n, share)`.
    #[test]
    fn tails_are_those_of_scipy() {
        assert!((chance_of_at_least(9.0, 30.0, 0.5) - 0.991937599144876).abs() < 1e-11);
        for (count, n, expected) in [
            (9.0, 30.0, 0.021386972628533847),
            (10.0, 30.0, 0.049368573352694525),
            (21.0, 60.0, 0.013670066934038968),
            (22.0, 60.0, 0.025946947964460718),
            (39.0, 100.0, 0.017600100108852428),
            (40.0, 100.0, 0.028443966820490444),
        ] {
            let got = chance_of_at_most(count, n, 0.5);
            assert!((got - expected).abs() < 1e-11, "{count} of {n}: {got}");
        }
        assert_eq!((chance_of_at_most(5.0, 5.0, 0.5), chance_of_at_least(0.0, 0.0, 0.5)), (1.0, 1.0));
    }

    /// statsmodels 0.14: `mcnemar([[0, b], [c, 0]], exact=True).pvalue`.
    #[test]
    fn mcnemar_is_that_of_statsmodels() {
        for (b, c, expected) in [(12, 3, 0.03515625), (0, 6, 0.03125), (5, 5, 1.0), (0, 0, 1.0)] {
            assert!((mcnemar_exact(b, c) - expected).abs() < 1e-12, "{b} {c}");
            assert_eq!(mcnemar_exact(b, c), mcnemar_exact(c, b));
        }
    }
}
