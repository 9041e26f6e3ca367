//! Sums of samples drawn with replacement: the costly part of every bootstrap.

use llull_core::Seed;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// Resamples that share one random stream. Fixed, so that neither the number of cores nor their timing can matter.
const CHUNK: usize = 256;

/// Lists that are summed together: a topic that was drawn is one look at the memory for all of them.
pub(crate) const TOGETHER: usize = 8;

/// For each of some lists of one length the means of `resamples` samples of its values, each as large as the list, in
/// the order in which they were drawn.
///
/// The same seed and purpose give the same draws for ever, and for every list of the same length: systems are resampled
/// over the same topics, whichever other lists are there.
pub(crate) fn resampled_means(
    lists: &[&[f64]],
    resamples: usize,
    seed: Seed,
    purpose: &str,
) -> Vec<Vec<f64>> {
    let means = |together: &[&[f64]]| match together {
        [alone] => {
            let rows: Vec<[f64; 1]> = alone.iter().map(|value| [*value]).collect();
            let mut means = resampled_sums(&rows, resamples, seed, purpose).into_flattened();
            means.iter_mut().for_each(|sum| *sum /= alone.len() as f64);
            vec![means]
        }
        together => {
            let sums = resampled_sums(&rows(together), resamples, seed, purpose);
            let of = |(place, list): (usize, &&[f64])| {
                sums.iter().map(|sums| sums[place] / list.len() as f64).collect()
            };
            together.iter().enumerate().map(of).collect()
        }
    };
    lists.chunks(TOGETHER).flat_map(means).collect()
}

/// The sums over `resamples` samples of the rows, each sample as large as there are rows.
///
/// Chunk `i` draws from stream `i` of one ChaCha8 generator.
pub(crate) fn resampled_sums<const LISTS: usize>(
    rows: &[[f64; LISTS]],
    resamples: usize,
    seed: Seed,
    purpose: &str,
) -> Vec<[f64; LISTS]> {
    let key = key(seed, purpose);
    let mut sums = vec![[0.0; LISTS]; resamples];
    sums.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, sums)| {
        let mut rng = ChaCha8Rng::from_seed(key);
        rng.set_stream(chunk as u64);
        for sums in sums {
            *sums = sum_of_sample(rows, &mut rng);
        }
    });
    sums
}

/// The values by topic, those of absent lists 0.
fn rows(lists: &[&[f64]]) -> Vec<[f64; TOGETHER]> {
    let mut rows = vec![[0.0; TOGETHER]; lists.first().map_or(0, |list| list.len())];
    for (place, list) in lists.iter().enumerate() {
        for (row, value) in rows.iter_mut().zip(*list) {
            row[place] = *value;
        }
    }
    rows
}

fn sum_of_sample<const LISTS: usize>(rows: &[[f64; LISTS]], rng: &mut impl Rng) -> [f64; LISTS] {
    let mut sums = [0.0; LISTS];
    for _ in 0..rows.len() {
        let row = &rows[below(rows.len(), rng)];
        for (sum, value) in sums.iter_mut().zip(row) {
            *sum += value;
        }
    }
    sums
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
