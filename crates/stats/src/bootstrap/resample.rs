//! Sums and means of samples drawn with replacement.
//!
//! They are the costly part of every bootstrap of values.

use llull_core::Seed;
use rand::Rng;
use rayon::prelude::*;

use crate::random_streams::{CHUNK, RandomStreams, place_of};

/// The number of lists that are summed together: one access to memory per drawn query serves all of them.
pub(crate) const TOGETHER: usize = 8;

/// Returns, for each of `lists` of one length, the means of `resamples` samples as large as the list, in the order in
/// which they were drawn.
///
/// The same seed and purpose always give the same draws, for every list of the same length: systems are
/// resampled over the same queries, whichever other lists there are.
pub(super) fn resampled_means(
    lists: &[&[f64]],
    resamples: usize,
    seed: Seed,
    purpose: &str,
) -> Vec<Vec<f64>> {
    let means = |together: &[&[f64]]| match together.len() {
        1 => means_of::<1, 4>(together, resamples, seed, purpose),
        2 => means_of::<2, 4>(together, resamples, seed, purpose),
        3 | 4 => means_of::<4, 4>(together, resamples, seed, purpose),
        _ => means_of::<TOGETHER, 2>(together, resamples, seed, purpose),
    };
    lists.chunks(TOGETHER).flat_map(means).collect()
}

/// Returns the means of at most `LISTS` lists.
fn means_of<const LISTS: usize, const ABREAST: usize>(
    lists: &[&[f64]],
    resamples: usize,
    seed: Seed,
    purpose: &str,
) -> Vec<Vec<f64>> {
    let sums = sums_abreast::<LISTS, ABREAST>(&rows(lists), resamples, seed, purpose);
    let of =
        |(place, list): (usize, &&[f64])| sums.iter().map(|sums| sums[place] / list.len() as f64).collect();
    lists.iter().enumerate().map(of).collect()
}

/// Returns the sums over `resamples` samples of the rows, each sample as large as there are rows.
pub(crate) fn resampled_sums<const LISTS: usize>(
    rows: &[[f64; LISTS]],
    resamples: usize,
    seed: Seed,
    purpose: &str,
) -> Vec<[f64; LISTS]> {
    sums_abreast::<LISTS, 2>(rows, resamples, seed, purpose)
}

/// Draws `ABREAST` samples one after the other and sums them side by side, since each addition waits for the one before
/// it in its sample. Neither the draws nor the order of a sample's additions depend on it.
fn sums_abreast<const LISTS: usize, const ABREAST: usize>(
    rows: &[[f64; LISTS]],
    resamples: usize,
    seed: Seed,
    purpose: &str,
) -> Vec<[f64; LISTS]> {
    let streams = RandomStreams::new(seed, purpose);
    let mut sums = vec![[0.0; LISTS]; resamples];
    sums.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, sums)| {
        let mut rng = streams.chunk(chunk);
        let mut draws = vec![0; size_of::<u32>() * ABREAST * rows.len()];
        let (several, rest) = sums.as_chunks_mut::<ABREAST>();
        for sums in several {
            rng.fill_bytes(&mut draws);
            *sums = sums_of_samples(rows, &draws);
        }
        draws.truncate(size_of::<u32>() * rows.len());
        for sums in rest {
            rng.fill_bytes(&mut draws);
            [*sums] = sums_of_samples(rows, &draws);
        }
    });
    sums
}

/// The values by query; 0 for absent lists.
fn rows<const LISTS: usize>(lists: &[&[f64]]) -> Vec<[f64; LISTS]> {
    let mut rows = vec![[0.0; LISTS]; lists.first().map_or(0, |list| list.len())];
    for (place, list) in lists.iter().enumerate() {
        for (row, value) in rows.iter_mut().zip(*list) {
            row[place] = *value;
        }
    }
    rows
}

/// The sums of `ABREAST` samples, whose draws follow each other, four bytes each.
fn sums_of_samples<const LISTS: usize, const ABREAST: usize>(
    rows: &[[f64; LISTS]],
    draws: &[u8],
) -> [[f64; LISTS]; ABREAST] {
    let (draws, _) = draws.as_chunks();
    let samples: [&[[u8; 4]]; ABREAST] =
        std::array::from_fn(|sample| &draws[sample * rows.len()..(sample + 1) * rows.len()]);
    let mut sums = [[0.0; LISTS]; ABREAST];
    for draw in 0..rows.len() {
        for (sums, sample) in sums.iter_mut().zip(&samples) {
            let row = &rows[place_of(u32::from_le_bytes(sample[draw]), rows.len())];
            for (sum, value) in sums.iter_mut().zip(row) {
                *sum += value;
            }
        }
    }
    sums
}
