//! The permutation test, and randomised Tukey HSD.
//!
//! Signs are flipped at random, or in every possible way.

use llull_core::Seed;
use rand::Rng;
use rayon::prelude::*;
use serde::Serialize;

use super::test_result::{Method, TestResult};
use crate::descriptive::{noise_of_sum, range};
use crate::error::StatsError;
use crate::paired::Paired;
use crate::random_streams::{CHUNK, RandomStreams, below};

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

/// Parameters of [`permutation_test`](crate::permutation_test).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PermutationOptions {
    /// The number of random permutations if not all are counted; 10,000 by default.
    pub permutations: usize,
    /// The source of chance.
    pub seed: Seed,
}

impl PermutationOptions {
    /// Returns the defaults: 10,000 permutations.
    pub fn new(seed: Seed) -> Self {
        Self { permutations: 10_000, seed }
    }

    pub(super) fn check(&self) -> Result<(), StatsError> {
        // Counts are 32-bit numbers.
        if self.permutations == 0 || u32::try_from(self.permutations).is_err() {
            return Err(StatsError::Permutations(self.permutations));
        }
        Ok(())
    }
}

/// The values of several systems over the same queries.
struct Table {
    /// Query after query; the values of all systems on one query are adjacent.
    by_topic: Vec<f64>,
    systems: usize,
}

impl Table {
    /// Expects that all systems have the same number of values.
    pub(super) fn of<S: AsRef<[f64]>>(systems: &[S]) -> Self {
        let topics = systems.first().map_or(0, |values| values.as_ref().len());
        let by_topic = (0..topics)
            .flat_map(|topic| systems.iter().filter_map(move |values| values.as_ref().get(topic).copied()))
            .collect();
        Self { by_topic, systems: systems.len() }
    }

    fn topics(&self) -> impl Iterator<Item = &[f64]> {
        self.by_topic.chunks_exact(self.systems.max(1))
    }

    /// Returns, for every pair (a, b), how many of the random sign flips give a sum of b - a that is at least as
    /// extreme as its threshold.
    ///
    /// One set of flips serves all pairs, and a sum of flipped differences is the difference of two flipped sums. So
    /// each flip costs one pass over the table and one subtraction per pair, not a sum over the queries per pair. The
    /// flips of permutation i are bits of random stream i / 256: the same for every table with as many queries.
    fn count_extreme(
        &self,
        pairs: &[(usize, usize)],
        thresholds: &[f64],
        options: &PermutationOptions,
    ) -> Vec<u32> {
        let PermutationOptions { permutations, seed } = *options;
        let streams = RandomStreams::new(seed, "sign flips");
        let topics = self.topics().count();
        let count_chunk = |mut counts: Vec<u32>, chunk: usize| {
            let mut rng = streams.chunk(chunk);
            let mut sums = vec![0.0; self.systems];
            let mut mask = vec![0; topics.div_ceil(64)];
            for _ in chunk * CHUNK..permutations.min((chunk + 1) * CHUNK) {
                mask.fill_with(|| rng.next_u64());
                self.flipped_sums(&mask, &mut sums);
                for ((count, threshold), (a, b)) in counts.iter_mut().zip(thresholds).zip(pairs) {
                    *count += u32::from((sums[*b] - sums[*a]).abs() >= *threshold);
                }
            }
            counts
        };
        (0..permutations.div_ceil(CHUNK))
            .into_par_iter()
            .fold(|| vec![0; pairs.len()], count_chunk)
            .reduce(|| vec![0; pairs.len()], added)
    }

    fn flipped_sums(&self, mask: &[u64], sums: &mut [f64]) {
        sums.fill(0.0);
        for (topic, values) in self.topics().enumerate() {
            let flipped = mask.get(topic / 64).is_some_and(|word| word >> (topic % 64) & 1 == 1);
            let sign = if flipped { -1.0 } else { 1.0 };
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum += sign * value;
            }
        }
    }
}

fn added(mut counts: Vec<u32>, more: Vec<u32>) -> Vec<u32> {
    for (count, more) in counts.iter_mut().zip(more) {
        *count += more;
    }
    counts
}

/// Returns the share of all 2^k ways to sign the k `differences` whose sum is `threshold` or more.
///
/// By halves (Horowitz and Sahni, Computing partitions with applications to the knapsack problem, JACM 21(2), 1974):
/// the sums of each half are generated in ascending order, and one sweep counts the pairs of sums that reach the
/// threshold, in 2^(k/2) steps.
fn exact_share(differences: &[f64], threshold: f64) -> f64 {
    let (left, right) = differences.split_at(differences.len() / 2);
    let (left, right) = (signed_sums(left), signed_sums(right));
    let mut above: u64 = 0;
    let mut reach = right.len();
    // As the sums of the left half rise, more and more sums of the right half suffice.
    for sum in &left {
        while reach > 0 && right.get(reach - 1).is_some_and(|other| sum + other >= threshold) {
            reach -= 1;
        }
        above += (right.len() - reach) as u64;
    }
    above as f64 / (left.len() as f64 * right.len() as f64)
}

/// Returns all sums of the values with either sign, ascending.
fn signed_sums(values: &[f64]) -> Vec<f64> {
    values.iter().fold(vec![0.0], |sums, value| {
        let step = value.abs();
        let mut merged = Vec::with_capacity(2 * sums.len());
        let mut raised = sums.iter().map(|sum| sum + step).peekable();
        for lowered in sums.iter().map(|sum| sum - step) {
            while let Some(next) = raised.next_if(|next| *next < lowered) {
                merged.push(next);
            }
            merged.push(lowered);
        }
        merged.extend(raised);
        merged
    })
}

/// Returns the p of each pair (baseline, candidate) of `systems`, all of which have the same number of values.
///
/// Carterette, Multiple testing in statistical analysis of systems-based information retrieval experiments, TOIS 30(1),
/// 2012, algorithm 1: permute the systems' values within every query, note the largest difference between two means,
/// and compare each observed difference with those. So a p holds for the whole family, and it depends on which other
/// systems are in it. Here the observed values count as one more permutation, so that no p is 0.
pub(super) fn permuted_ranges<S: AsRef<[f64]> + Sync>(
    systems: &[S],
    pairs: &[(usize, usize)],
    permutations: usize,
    seed: Seed,
) -> Vec<f64> {
    let topics = systems.first().map_or(0, |values| values.as_ref().len());
    let by_topic: Vec<Vec<f64>> = (0..topics)
        .map(|topic| systems.iter().filter_map(|values| values.as_ref().get(topic).copied()).collect())
        .collect();
    let streams = RandomStreams::new(seed, "permuted rows");
    let mut ranges = vec![0.0; permutations];
    ranges.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, ranges)| {
        let mut rng = streams.chunk(chunk);
        let mut rows = by_topic.clone();
        for range in ranges {
            *range = permuted_range(&mut rows, systems.len(), &mut rng);
        }
    });
    ranges.sort_unstable_by(f64::total_cmp);
    let sums: Vec<f64> = systems.iter().map(|values| values.as_ref().iter().sum()).collect();
    let noise: Vec<f64> = systems.iter().map(|values| noise_of_sum(values.as_ref())).collect();
    let noise = 2.0 * noise.into_iter().fold(0.0, f64::max);
    let p = |(a, b): &(usize, usize)| {
        let least = (sums[*b] - sums[*a]).abs() - noise;
        let reached = permutations - ranges.partition_point(|range| *range < least);
        (1 + reached) as f64 / (1 + permutations) as f64
    };
    pairs.iter().map(p).collect()
}

/// Shuffles each row, whatever its order, and returns the range of the sums over rows.
fn permuted_range(rows: &mut [Vec<f64>], systems: usize, rng: &mut impl Rng) -> f64 {
    let mut sums = vec![0.0; systems];
    for row in rows {
        for last in (1..row.len()).rev() {
            row.swap(last, below(last + 1, rng));
        }
        for (sum, value) in sums.iter_mut().zip(row.iter()) {
            *sum += value;
        }
    }
    let (least, most) = range(&sums);
    most - least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_count_what_enumeration_counts() {
        let differences = [0.3, -0.1, 0.25, 0.4, -0.35, 0.05, 0.2];
        for threshold in [-0.6, 0.05, 0.4, 0.75, 1.6, 1.7] {
            let sums = (0..1 << differences.len()).map(|mask: u32| {
                let signed = |(bit, value): (usize, &f64)| if mask >> bit & 1 == 1 { -value } else { *value };
                differences.iter().enumerate().map(signed).sum::<f64>()
            });
            let sums: Vec<f64> = sums.collect();
            // Slightly below a possible sum, as the tolerance of the test makes it.
            let threshold = threshold - 0.001;
            let count = sums.iter().filter(|sum| **sum >= threshold).count();
            assert_eq!(exact_share(&differences, threshold), count as f64 / 128.0, "{threshold}");
        }
    }

    #[test]
    fn sums_come_in_order() {
        let sums = signed_sums(&[0.3, -0.1, 0.7, 0.3]);
        assert!(sums.is_sorted() && sums.len() == 16);
        assert_eq!(signed_sums(&[]), [0.0]);
    }
}
