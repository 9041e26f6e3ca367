//! Fisher's permutation test by sign flips, for paired values.

use rayon::prelude::*;

use super::method::Method;
use super::permutation_options::PermutationOptions;
use super::sign_flips::{Table, exact_share};
use super::test_result::TestResult;
use crate::error::StatsError;
use crate::paired::Paired;
use crate::rounding::noise_of_sum;

/// Up to this number of differing queries all 2^k flips are counted, in about a millisecond.
const EXACT_UP_TO: usize = 30;

/// Tests whether a mean difference so large could be chance, if on each query the two values were assigned to the
/// systems at random (Fisher, The Design of Experiments, 1935; recommended by Smucker, Allan and Carterette, A
/// comparison of statistical significance tests for information retrieval evaluation, CIKM 2007).
///
/// Queries without a difference have no effect. For up to 30 differing queries p is exact, over all 2^k ways. For more,
/// p is (1 + extreme) / (1 + permutations), which is never 0 and keeps its level (Phipson and Smyth, Permutation
/// p-values should never be zero, 2010). Sums that are equal to about 12 digits count as equal.
/// `scipy.stats.permutation_test` and ranx's `fisher` draw at random from 14 queries on, the latter without the added
/// one. Without any difference p is 1.
///
/// ```
/// use llull_core::Seed;
/// use llull_stats::{PermutationOptions, permutation_test};
///
/// let baseline = [0.31, 0.52, 0.44, 0.20, 0.67, 0.38, 0.55, 0.41];
/// let candidate = [0.42, 0.60, 0.43, 0.35, 0.71, 0.52, 0.61, 0.55];
/// let test = permutation_test(&baseline, &candidate, &PermutationOptions::new(Seed(7)))?;
/// // 4 of the 256 ways to swap the systems differ as much.
/// assert_eq!(test.p, Some(4.0 / 256.0));
/// # Ok::<(), llull_stats::StatsError>(())
/// ```
///
/// # Errors
/// Returns an error if the two lists differ in length or are empty, a value is not finite, or the number of
/// permutations is 0 or above 2^32 - 1.
pub fn permutation_test(
    baseline: &[f64],
    candidate: &[f64],
    options: &PermutationOptions,
) -> Result<TestResult, StatsError> {
    let paired = Paired::of(baseline, candidate)?;
    let pairs = permute_pairs(&[baseline, candidate], &[(0, 1)], options)?;
    let Some((method, p)) = pairs.first().copied() else { return Err(StatsError::Empty) };
    Ok(TestResult {
        method,
        n: paired.n(),
        differing: paired.differing(),
        mean: paired.mean(),
        statistic: Some(paired.mean()),
        p: Some(p),
        undefined: None,
    })
}

/// Returns, for each pair of positions (baseline, candidate) in `systems`, how it was tested, and p.
pub(super) fn permute_pairs<S: AsRef<[f64]> + Sync>(
    systems: &[S],
    pairs: &[(usize, usize)],
    options: &PermutationOptions,
) -> Result<Vec<(Method, f64)>, StatsError> {
    let PermutationOptions { permutations, seed } = *options;
    options.check()?;
    let thresholds = pairs.iter().map(|(baseline, candidate)| {
        let (baseline, candidate) = (systems[*baseline].as_ref(), systems[*candidate].as_ref());
        let observed = candidate.iter().sum::<f64>() - baseline.iter().sum::<f64>();
        observed.abs() - noise_of_sum(baseline) - noise_of_sum(candidate)
    });
    let thresholds: Vec<f64> = thresholds.collect();
    let exact = |((baseline, candidate), threshold): (&(usize, usize), &f64)| {
        let mut differences =
            Paired::of(systems[*baseline].as_ref(), systems[*candidate].as_ref())?.differences;
        differences.retain(|difference| *difference != 0.0);
        if differences.len() > EXACT_UP_TO {
            return Ok(None);
        }
        let method = Method::ExactFlips { differences: differences.len() };
        Ok(Some((method, exact_p(&differences, *threshold))))
    };
    let exact = pairs.par_iter().zip(&thresholds).map(exact).collect::<Result<Vec<_>, StatsError>>()?;
    let left: Vec<usize> = (0..pairs.len()).filter(|place| exact[*place].is_none()).collect();
    let (open, limits): (Vec<_>, Vec<_>) =
        left.iter().map(|place| (pairs[*place], thresholds[*place])).unzip();
    let mut counts =
        if open.is_empty() { Vec::new() } else { Table::of(systems).count_extreme(&open, &limits, options) }
            .into_iter();
    let random = Method::RandomFlips { permutations, seed };
    let drawn = |count: u32| (random, (1.0 + f64::from(count)) / (1.0 + permutations as f64));
    Ok(exact.into_iter().filter_map(|exact| exact.or_else(|| counts.next().map(drawn))).collect())
}

fn exact_p(differences: &[f64], threshold: f64) -> f64 {
    match threshold {
        // Sums are symmetric about 0: the other side is as large and does not overlap this one.
        above if above > 0.0 => (2.0 * exact_share(differences, threshold)).min(1.0),
        _ => 1.0,
    }
}
