//! Wilcoxon's signed-rank test.

use super::method::Method;
use super::test_result::{TestResult, two_sided};
use crate::distribution::normal;
use crate::error::StatsError;
use crate::paired::Paired;
use crate::undefined::Undefined;

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
