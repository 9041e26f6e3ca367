//! Means of samples drawn with replacement: the costly part of every bootstrap.

use llull_core::Seed;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// Resamples that share one random stream. Fixed, so that neither the number of cores nor their timing can matter.
const CHUNK: usize = 256;

/// The means of `resamples` samples of the values, each as large as they are, in ascending order.
///
/// Chunk `i` draws from stream `i` of one ChaCha8 generator. The same seed gives the same draws for ever, and for every
/// list of the same length: differences between systems are resampled over the same topics.
pub(crate) fn resampled_means(values: &[f64], resamples: usize, seed: Seed) -> Vec<f64> {
    let key = key(seed);
    let mut means = vec![0.0; resamples];
    means.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, means)| {
        let mut rng = ChaCha8Rng::from_seed(key);
        rng.set_stream(chunk as u64);
        for mean in means {
            *mean = mean_of_sample(values, &mut rng);
        }
    });
    means.par_sort_unstable_by(f64::total_cmp);
    means
}

fn key(seed: Seed) -> [u8; 32] {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.stream("bootstrap").to_le_bytes());
    key
}

/// An index is the high half of a 32-bit draw times the length (Lemire, Fast random integer generation in an interval,
/// TOMACS 29(1), 2019) without its rejection step: the bias is below length / 2^32, and the draws stay the same whatever
/// a later version of `rand` does.
fn mean_of_sample(values: &[f64], rng: &mut impl Rng) -> f64 {
    let length = values.len() as u64;
    let draw = |_| values[((u64::from(rng.next_u32()) * length) >> 32) as usize];
    (0..values.len()).map(draw).sum::<f64>() / values.len() as f64
}
