//! Tests of one pair of systems: t, sign, Wilcoxon, bootstrap.

use llull_core::Seed;
use rayon::prelude::*;

use super::test_result::{Method, TestResult, two_sided};
use crate::bootstrap::{TOGETHER, resampled_sums};
use crate::descriptive::ROUNDING;
use crate::distribution::{normal, student};
use crate::error::{StatsError, Undefined};
use crate::paired::Paired;

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

/// The largest number of differing queries for which the exact distribution is computed, in time that grows with its
/// cube.
const EXACT_UP_TO: usize = 50;

/// Tests whether the ranks of the absolute differences favour one side (Wilcoxon, Individual comparisons by ranking
/// methods, Biometrics Bulletin 1(6), 1945). The statistic is the sum of the ranks of the wins, scipy's `r_plus`.
///
/// Queries on which the two are equal are left out, and equal absolute differences (to 12 significant digits of the
/// values) share the mean of their ranks. For up to 50 differing queries p is exact, given those ranks. For more it is
/// the normal approximation with the variance of the observed ranks (which corrects for ties), without a correction for
/// continuity. `scipy.stats.wilcoxon` does the same, except that with ties or zeros it uses the approximation above 13
/// queries, and that it treats `0.3 - 0.2` and `0.2 - 0.1` as different. Without any difference p is 1.
///
/// # Errors
/// Returns an error if the two lists differ in length or are empty, or a value is not finite.
pub fn wilcoxon_test(baseline: &[f64], candidate: &[f64]) -> Result<TestResult, StatsError> {
    let paired = Paired::of(baseline, candidate)?;
    let ranks = signed_ranks(&paired);
    let wins: u64 = ranks.iter().filter(|(win, _)| *win).map(|(_, twice)| twice).sum();
    let ranks: Vec<u64> = ranks.into_iter().map(|(_, twice)| twice).collect();
    let exact = ranks.len() <= EXACT_UP_TO;
    let tails = if exact { Ok(exact_tails(&ranks, wins)) } else { normal_tails(&ranks, wins) };
    Ok(TestResult {
        method: if exact { Method::ExactRanks } else { Method::Normal },
        n: paired.n(),
        differing: ranks.len(),
        mean: paired.mean(),
        statistic: Some(wins as f64 / 2.0),
        p: tails.ok().map(|(at_most, at_least)| two_sided(at_most, at_least)),
        undefined: tails.err(),
    })
}

/// Returns whether each difference that is not 0 is a win, and twice its rank: a whole number, although tied
/// differences share the mean of their ranks.
fn signed_ranks(paired: &Paired) -> Vec<(bool, u64)> {
    let mut sizes: Vec<(f64, bool)> = paired
        .differences
        .iter()
        .filter(|difference| **difference != 0.0)
        .map(|difference| (difference.abs(), *difference > 0.0))
        .collect();
    sizes.sort_unstable_by(|(a, _), (b, _)| a.total_cmp(b));
    let mut ranks = Vec::with_capacity(sizes.len());
    let mut before = 0;
    for tied in sizes.chunk_by(|(a, _), (b, _)| b - a <= paired.noise) {
        // The mean of before + 1 ..= before + tied, twice.
        let twice = (2 * before + tied.len() + 1) as u64;
        ranks.extend(tied.iter().map(|(_, win)| (*win, twice)));
        before += tied.len();
    }
    ranks
}

/// Returns the probabilities of at most and of at least `wins`, if each rank belongs to a win with probability 1/2.
fn exact_tails(ranks: &[u64], wins: u64) -> (f64, f64) {
    let total = ranks.iter().sum::<u64>() as usize;
    let wins = wins as usize;
    let mut share = vec![0.0; total + 1];
    if let Some(none) = share.first_mut() {
        *none = 1.0;
    }
    let mut reached = 0;
    for rank in ranks.iter().map(|rank| *rank as usize) {
        reached += rank;
        for sum in (0..=reached).rev() {
            let with = if sum >= rank { share[sum - rank] } else { 0.0 };
            share[sum] = 0.5 * (share[sum] + with);
        }
    }
    // The distribution is symmetric: at most `wins` is as likely as at least the rest.
    let at_least = |sum: usize| share.iter().skip(sum).rev().sum::<f64>().min(1.0);
    (at_least(total - wins), at_least(wins))
}

fn normal_tails(ranks: &[u64], wins: u64) -> Result<(f64, f64), Undefined> {
    if ranks.is_empty() {
        return Err(Undefined::Identical);
    }
    let mean = ranks.iter().sum::<u64>() as f64 / 2.0;
    let variance = ranks.iter().map(|rank| (*rank as f64) * (*rank as f64)).sum::<f64>() / 4.0;
    let z = (wins as f64 - mean) / variance.sqrt();
    Ok((normal::cdf(z), normal::cdf(-z)))
}

/// Ratios that differ by less are equal: rounding must not distinguish a resample from its mirror image.
const TIE: f64 = 1e-9;

/// Tests by Sakai's paired bootstrap whether a t statistic so large could be chance: the differences less their mean
/// are drawn with replacement, and p is the share of draws whose |t| is at least the observed one (Sakai, Evaluating
/// evaluation metrics based on the bootstrap, SIGIR 2006, figure 1; Efron and Tibshirani, An Introduction to the
/// Bootstrap, 1993, section 16.4). The observed queries count as one more draw, so that p is never 0.
///
/// The t of a draw without any spread, of one query over and over, counts as infinite. Of n queries at least 1 in
/// n^(n-1) draws is such, more if differences repeat, so that p of three queries is at least 1/9. There is no p if t is
/// undefined: see [`paired_t_test`](crate::paired_t_test).
///
/// ```
/// use llull_core::Seed;
/// use llull_stats::{bootstrap_test};
///
/// let baseline = [0.31, 0.52, 0.44, 0.20, 0.67, 0.38, 0.55, 0.41];
/// let candidate = [0.42, 0.60, 0.43, 0.35, 0.71, 0.52, 0.61, 0.55];
/// let test = bootstrap_test(&baseline, &candidate, 10_000, Seed(7))?;
/// assert!(test.p.is_some_and(|p| p < 0.05));
/// # Ok::<(), llull_stats::StatsError>(())
/// ```
///
/// # Errors
/// Returns an error if the two lists differ in length or are empty, a value is not finite, or `resamples` is 0.
pub fn bootstrap_test(
    baseline: &[f64],
    candidate: &[f64],
    resamples: usize,
    seed: Seed,
) -> Result<TestResult, StatsError> {
    let paired = Paired::of(baseline, candidate)?;
    let t = statistic(&paired, 0.0);
    let p = resampled(&[&paired], resamples, seed)?.pop().unwrap_or(Err(Undefined::OutOfRange));
    Ok(TestResult {
        method: Method::Bootstrap { resamples, seed },
        n: paired.n(),
        differing: paired.differing(),
        mean: paired.mean(),
        statistic: t.ok(),
        p: p.ok(),
        undefined: p.err(),
    })
}

/// Returns the p of each pair, or the reason for its absence; all are over the same queries.
pub(super) fn resampled(
    pairs: &[&Paired],
    resamples: usize,
    seed: Seed,
) -> Result<Vec<Result<f64, Undefined>>, StatsError> {
    if resamples == 0 {
        return Err(StatsError::Permutations(resamples));
    }
    // A pair needs two sums: of its deviations and of their squares.
    let together = pairs.par_chunks(TOGETHER / 2);
    Ok(together.flat_map_iter(|pairs| resampled_together(pairs, resamples, seed)).collect())
}

fn resampled_together(pairs: &[&Paired], resamples: usize, seed: Seed) -> Vec<Result<f64, Undefined>> {
    let n = pairs.first().map_or(0, |pair| pair.n());
    let mut rows = vec![[0.0; TOGETHER]; n];
    let mut means = Vec::with_capacity(pairs.len());
    for (place, pair) in pairs.iter().enumerate() {
        // A mean of 0 may differ from 0 by rounding.
        let mean = if pair.mean().abs() <= pair.noise { 0.0 } else { pair.mean() };
        let deviations = pair.differences.iter().map(|difference| difference - mean);
        // t does not depend on the scale, and the squares of numbers up to 1 do not overflow.
        let most = deviations.clone().fold(0.0, |most: f64, deviation| most.max(deviation.abs()));
        for (row, deviation) in rows.iter_mut().zip(deviations) {
            let deviation = deviation / most;
            row[2 * place] = deviation;
            row[2 * place + 1] = deviation * deviation;
        }
        means.push(mean / most);
    }
    let sums = resampled_sums(&rows, resamples, seed, "bootstrap test");
    let p = |(place, pair): (usize, &&Paired)| {
        statistic(pair, 0.0)?;
        let squares: f64 = rows.iter().map(|row| row[2 * place + 1]).sum();
        let observed = Moments { mean: means[place], variance: squares / n as f64 };
        let extreme = sums.iter().filter(|sums| {
            Moments::of(sums[2 * place], sums[2 * place + 1], n).is_at_least_as_far_as(&observed)
        });
        Ok((1 + extreme.count()) as f64 / (1 + resamples) as f64)
    };
    pairs.iter().enumerate().map(p).collect()
}

/// The mean and the variance of a sample. For samples of one size, |t| grows with the mean squared over the variance.
struct Moments {
    mean: f64,
    /// The mean square of the deviations from the mean.
    variance: f64,
}

impl Moments {
    fn of(sum: f64, squares: f64, n: usize) -> Self {
        let (mean, mean_square) = (sum / n as f64, squares / n as f64);
        let variance = mean_square - mean * mean;
        // The variance of equal values is 0 except for rounding.
        Self { mean, variance: if variance <= ROUNDING * mean_square { 0.0 } else { variance } }
    }

    fn is_at_least_as_far_as(&self, other: &Self) -> bool {
        let (ours, theirs) =
            (self.mean * self.mean * other.variance, other.mean * other.mean * self.variance);
        ours >= theirs * (1.0 - TIE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of tied ranks, which few samples of more than 50 have. scipy 1.17.1: `wilcoxon(d, method="asymptotic")`.
    #[test]
    fn the_normal_approximation_corrects_for_ties() {
        let baseline = [0.4, 0.6, 0.9, 0.6, 0.2, 0.5, 0.8, 0.4, 0.3, 0.6, 0.4, 0.5];
        let candidate = [0.4, 1.0, 0.9, 0.7, 0.3, 0.4, 0.6, 0.5, 0.3, 0.6, 0.4, 0.7];
        let ranks = signed_ranks(&Paired::of(&baseline, &candidate).unwrap());
        let wins = ranks.iter().filter(|(win, _)| *win).map(|(_, twice)| twice).sum();
        let ranks: Vec<u64> = ranks.into_iter().map(|(_, twice)| twice).collect();
        let (at_most, at_least) = normal_tails(&ranks, wins).unwrap();
        assert!((two_sided(at_most, at_least) - 0.3008027423277617).abs() < 1e-12);
    }
}
