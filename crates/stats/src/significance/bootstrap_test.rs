//! The paired bootstrap test.

use llull_core::Seed;
use rayon::prelude::*;

use super::method::Method;
use super::student::statistic;
use super::test_result::TestResult;
use crate::bootstrap::{TOGETHER, resampled_sums};
use crate::error::StatsError;
use crate::paired::Paired;
use crate::rounding::ROUNDING;
use crate::undefined::Undefined;

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
