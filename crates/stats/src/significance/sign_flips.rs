//! Sums of differences with flipped signs.
//!
//! The signs are flipped at random, or in every possible way.

use rand::Rng;
use rayon::prelude::*;

use super::permutation_options::PermutationOptions;
use crate::random_streams::{CHUNK, RandomStreams};

/// The values of several systems over the same queries.
pub(super) struct Table {
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
    pub(super) fn count_extreme(
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
pub(super) fn exact_share(differences: &[f64], threshold: f64) -> f64 {
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
