//! Resamples of means: sums, intervals and p.
//!
//! The sums are the costly part of every bootstrap of values.

use llull_core::Seed;
use rand::Rng;
use rayon::prelude::*;

use super::interval::{
    BiasCorrection, BootstrapOptions, Expansion, IntervalMethod, scaled_acceleration, share_below,
};
use crate::descriptive::{mean, noise, quantile, range};
use crate::distribution::normal;
use crate::error::StatsError;
use crate::random_streams::{CHUNK, RandomStreams, place_of};

/// The number of lists that are summed together: one access to memory per drawn query serves all of them.
pub(crate) const TOGETHER: usize = 8;

/// Returns, for each of `lists` of one length, the means of `resamples` samples as large as the list, in the order in
/// which they were drawn.
///
/// The same seed and purpose always give the same draws, for every list of the same length: systems are
/// resampled over the same queries, whichever other lists there are.
fn resampled_means(lists: &[&[f64]], resamples: usize, seed: Seed, purpose: &str) -> Vec<Vec<f64>> {
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

/// A mean with its resamples.
pub(super) struct ResampledMean {
    pub(super) mean: f64,
    /// Ascending. Empty for a single value.
    means: Vec<f64>,
    /// The least and the greatest mean that a resample can have.
    range: (f64, f64),
    correction: BiasCorrection,
    expansion: Expansion,
}

impl ResampledMean {
    pub(super) fn of(values: &[f64], options: &BootstrapOptions) -> Result<Self, StatsError> {
        Self::of_each(&[values], options).pop().unwrap_or(Err(StatsError::Empty))
    }

    /// Of each of some lists of one length, which share their draws.
    pub(super) fn of_each(lists: &[&[f64]], options: &BootstrapOptions) -> Vec<Result<Self, StatsError>> {
        let mut drawn: Vec<Vec<f64>> = vec![Vec::new(); lists.len()];
        if options.check().is_ok() {
            let places: Vec<usize> = (0..lists.len()).filter(|place| is_drawn_from(lists[*place])).collect();
            let varied: Vec<&[f64]> = places.iter().map(|place| lists[*place]).collect();
            let means = resampled_means(&varied, options.resamples, options.seed, "bootstrap");
            for (place, means) in places.into_iter().zip(means) {
                drawn[place] = means;
            }
        }
        lists.par_iter().zip(drawn).map(|(list, means)| Self::of_drawn(list, means, options)).collect()
    }

    fn of_drawn(values: &[f64], means: Vec<f64>, options: &BootstrapOptions) -> Result<Self, StatsError> {
        options.check()?;
        StatsError::unless_finite(values)?;
        let Some(first) = values.first() else { return Err(StatsError::Empty) };
        let (expansion, range) = (Expansion::of(values.len()), range(values));
        if values.iter().all(|value| value == first) {
            let means = if values.len() == 1 { Vec::new() } else { vec![*first; options.resamples] };
            return Ok(Self {
                mean: *first + 0.0,
                means,
                range,
                correction: BiasCorrection::NONE,
                expansion,
            });
        }
        let mean = mean(values);
        if !mean.is_finite() {
            return Err(StatsError::TooLarge);
        }
        let acceleration = scaled_acceleration(values.iter().map(|value| value - mean));
        Ok(Self::new(mean, means, range, noise(values), acceleration, expansion))
    }

    /// `means` are in the order in which they were drawn.
    fn new(
        mean: f64,
        mut means: Vec<f64>,
        range: (f64, f64),
        noise: f64,
        acceleration: f64,
        expansion: Expansion,
    ) -> Self {
        let mean = exact(mean, 0.0, noise);
        for resampled in &mut means {
            *resampled = exact(exact(*resampled, 0.0, noise), mean, noise);
        }
        means.sort_unstable_by(f64::total_cmp);
        let correction = BiasCorrection::new(&means, mean, acceleration);
        Self { mean, means, range, correction, expansion }
    }

    /// Returns both ends of the interval; infinite if there are too few values for this confidence.
    pub(super) fn interval(&self, method: IntervalMethod, confidence: f64) -> (f64, f64) {
        if self.means.is_empty() {
            return (f64::NEG_INFINITY, f64::INFINITY);
        }
        let units = normal::two_sided(confidence);
        let expanded = || self.expansion.units(confidence);
        let ends = match method {
            IntervalMethod::ExpandedBca => {
                expanded().and_then(|units| self.ends(|side| self.correction.share(side * units)))
            }
            IntervalMethod::ExpandedPercentile => {
                expanded().and_then(|units| self.ends(|side| normal::cdf(side * units)))
            }
            IntervalMethod::Bca => self.ends(|side| self.correction.share(side * units)),
            IntervalMethod::Percentile => self.ends(|side| 0.5 + side * confidence / 2.0),
        };
        ends.unwrap_or((f64::NEG_INFINITY, f64::INFINITY))
    }

    /// The ends below which these shares of the resamples lie. The lower side is -1, the upper one 1.
    fn ends(&self, share: impl Fn(f64) -> f64) -> Option<(f64, f64)> {
        self.at(share(-1.0)).zip(self.at(share(1.0)))
    }

    /// The end below which this share of the resamples lies. Resamples have no information about a share of less than
    /// half of one of them: the end is then that of the range, so that it is not too near.
    fn at(&self, share: f64) -> Option<f64> {
        let half_a_resample = 0.5 / self.means.len() as f64;
        match share {
            below if below < half_a_resample => Some(self.range.0),
            above if above > 1.0 - half_a_resample => Some(self.range.1),
            share => quantile(&self.means, share),
        }
    }

    /// The two-sided p of a true mean of 0: that of the interval by expanded percentiles which ends at 0. `None` for a
    /// single value.
    pub(super) fn p_of_zero(&self) -> Option<f64> {
        if self.means.is_empty() {
            return None;
        }
        let least = 1.0 / self.means.len() as f64;
        if self.range.0 > 0.0 || self.range.1 < 0.0 {
            return Some(least);
        }
        let z = normal::quantile(share_below(&self.means, 0.0));
        Some(self.expansion.p(z).clamp(least, 1.0))
    }

    /// The share of the resamples on one side, from 0 to 1.
    pub(super) fn share(&self, side: impl Fn(f64) -> bool) -> f64 {
        if self.means.is_empty() {
            return f64::from(u8::from(side(self.mean)));
        }
        self.means.iter().filter(|mean| side(**mean)).count() as f64 / self.means.len() as f64
    }
}

/// Whether resamples of these values differ from one another.
fn is_drawn_from(values: &[f64]) -> bool {
    values.iter().all(|value| value.is_finite()) && values.iter().any(|value| *value != values[0])
}

/// Returns `point` if the value differs from it by rounding alone. Measures such as P@5 have few values, so that many
/// resamples tie with 0 or with the mean, and the order of summation must not move all of them to one side.
fn exact(value: f64, point: f64, noise: f64) -> f64 {
    if (value - point).abs() <= noise { point } else { value }
}
