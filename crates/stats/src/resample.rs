//! Means of samples drawn with replacement: the costly part of every bootstrap.

use llull_core::Seed;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// Resamples that share one random stream. Fixed, so that neither the number of cores nor their timing can matter.
const CHUNK: usize = 256;

/// The means of `resamples` samples of the values, each as large as they are, in ascending order.
///
/// Chunk `i` draws from stream `i` of one ChaCha8 generator. The same seed gives the same draws for ever, and for
/// every list of the same length: differences between systems are resampled over the same topics.
pub(crate) fn resampled_means(values: &[f64], resamples: usize, seed: Seed) -> Vec<f64> {
    let mut means = means_as_drawn(values, resamples, key(seed, "bootstrap"));
    means.par_sort_unstable_by(f64::total_cmp);
    means
}

/// The differences, candidate minus baseline, of the means of two samples that are drawn apart, in ascending order.
pub(crate) fn resampled_differences(
    baseline: &[f64],
    candidate: &[f64],
    resamples: usize,
    seed: Seed,
) -> Vec<f64> {
    let mut differences = means_as_drawn(candidate, resamples, key(seed, "bootstrap candidate"));
    let subtracted = means_as_drawn(baseline, resamples, key(seed, "bootstrap baseline"));
    for (difference, mean) in differences.iter_mut().zip(subtracted) {
        *difference -= mean;
    }
    differences.par_sort_unstable_by(f64::total_cmp);
    differences
}

fn means_as_drawn(values: &[f64], resamples: usize, key: [u8; 32]) -> Vec<f64> {
    let mut means = vec![0.0; resamples];
    means.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, means)| {
        let mut rng = ChaCha8Rng::from_seed(key);
        rng.set_stream(chunk as u64);
        for mean in means {
            *mean = mean_of_sample(values, &mut rng);
        }
    });
    means
}

/// What a generator for one purpose starts from.
pub(crate) fn key(seed: Seed, purpose: &str) -> [u8; 32] {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.stream(purpose).to_le_bytes());
    key
}

/// A whole number from 0 to below `length`: the high half of a 32-bit draw times the length (Lemire, Fast random
/// integer generation in an interval, TOMACS 29(1), 2019) without its rejection step: the bias is below length /
/// 2^32, and the draws stay the same whatever a later version of `rand` does.
pub(crate) fn below(length: usize, rng: &mut impl Rng) -> usize {
    ((u64::from(rng.next_u32()) * length as u64) >> 32) as usize
}

fn mean_of_sample(values: &[f64], rng: &mut impl Rng) -> f64 {
    (0..values.len()).map(|_| values[below(values.len(), rng)]).sum::<f64>() / values.len() as f64
}
