//! Sums and means of samples drawn with replacement: the costly part of every bootstrap of values.

use llull_core::Seed;
use rand::Rng;
use rayon::prelude::*;

use crate::random_streams::{CHUNK, RandomStreams, below};

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

/// Returns the sums over `resamples` samples of the rows, each sample as large as there are rows.
pub(crate) fn resampled_sums<const LISTS: usize>(
    rows: &[[f64; LISTS]],
    resamples: usize,
    seed: Seed,
    purpose: &str,
) -> Vec<[f64; LISTS]> {
    let streams = RandomStreams::new(seed, purpose);
    let mut sums = vec![[0.0; LISTS]; resamples];
    sums.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, sums)| {
        let mut rng = streams.chunk(chunk);
        for sums in sums {
            *sums = sum_of_sample(rows, &mut rng);
        }
    });
    sums
}

/// The values by query; 0 for absent lists.
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
