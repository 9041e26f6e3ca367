//! The randomised Tukey HSD test: all pairs of systems at once.

use llull_core::Seed;
use rand::Rng;
use rayon::prelude::*;

use crate::descriptive::range;
use crate::random_streams::{CHUNK, RandomStreams, below};
use crate::rounding::noise_of_sum;

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
