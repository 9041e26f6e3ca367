//! Resampling whole queries: pairs of one query are alike, so that pairs are not independent but queries are.

use llull_core::Seed;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::figures::Ends;
use crate::bootstrap::BootstrapOptions;
use crate::error::StatsError;
use crate::expansion::Expansion;
use crate::normal;

/// Resamples that share one random stream. Fixed, so that neither the number of cores nor their timing can matter.
const CHUNK: usize = 32;

/// Sums by cluster, only those that are not 0. What a resample sums to is a sum of these, so that it need not look at
/// a single pair again.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ClusterSums {
    width: usize,
    /// Where each cluster's entries end.
    ends: Vec<usize>,
    entries: Vec<(u32, f64)>,
}

impl ClusterSums {
    /// No cluster yet; each will have so many sums.
    pub(crate) fn new(width: usize) -> Self {
        Self { width, ends: Vec::new(), entries: Vec::new() }
    }

    /// Adds a cluster: which sum, and what the cluster adds to it; a sum may be named twice.
    pub(crate) fn push(&mut self, sums: impl IntoIterator<Item = (usize, f64)>) {
        self.entries.extend(sums.into_iter().map(|(sum, value)| (sum as u32, value)));
        self.ends.push(self.entries.len());
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    fn clusters(&self) -> impl Iterator<Item = &[(u32, f64)]> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(start, end)| &self.entries[*start..*end])
    }

    /// The sums over all clusters.
    pub(crate) fn total(&self) -> Vec<f64> {
        let mut total = vec![0.0; self.width];
        for (sum, value) in &self.entries {
            total[*sum as usize] += value;
        }
        total
    }

    /// The sums over the clusters, each as often as it weighs.
    fn weighted(&self, weights: &[u32], sums: &mut [f64]) {
        sums.fill(0.0);
        for (entries, weight) in self.clusters().zip(weights) {
            if *weight > 0 {
                let weight = f64::from(*weight);
                for (sum, value) in entries {
                    sums[*sum as usize] += weight * value;
                }
            }
        }
    }

    /// The intervals of figures that are functions of the sums: bias-corrected and accelerated (Efron and Tibshirani 1993, chapter 14),
    /// with the jackknife over clusters, and expanded for few of them (Hesterberg 2015), as those of means.
    pub(crate) fn intervals(
        &self,
        options: &BootstrapOptions,
        figures: impl Fn(&[f64]) -> Vec<Option<f64>> + Sync,
    ) -> Result<Vec<Option<Ends>>, StatsError> {
        let total = self.total();
        let estimates = figures(&total);
        let draws = Draws::new(self.len(), options, |weights| {
            let mut sums = vec![0.0; self.width];
            self.weighted(weights, &mut sums);
            figures(&sums)
        })?;
        let mut sums = total.clone();
        let jackknife: Vec<Vec<Option<f64>>> = self
            .clusters()
            .map(|entries| {
                for (sum, value) in entries {
                    let left = sums[*sum as usize] - value;
                    // What is left of a difference of sums by rounding is nothing.
                    let rounding = 1e-11 * total[*sum as usize];
                    sums[*sum as usize] = if left.abs() <= rounding { 0.0 } else { left };
                }
                let without = figures(&sums);
                for (sum, _) in entries {
                    sums[*sum as usize] = total[*sum as usize];
                }
                without
            })
            .collect();
        let interval = |(number, estimate): (usize, &Option<f64>)| {
            let left: Vec<f64> = jackknife.iter().filter_map(|figures| figures[number]).collect();
            draws.accelerated(number, (*estimate)?, acceleration(&left))
        };
        Ok(estimates.iter().enumerate().map(interval).collect())
    }
}

/// Figures of resamples.
pub(crate) struct Draws {
    /// By figure: those of the resamples that define it, ascending.
    sorted: Vec<Vec<f64>>,
    resamples: usize,
    /// How many normal units either way an interval takes; `None` when there are too few clusters for one.
    units: Option<f64>,
}

impl Draws {
    /// Draws as many clusters as there are, with replacement, over and over, and takes the figures of each: the weights say how
    /// often each cluster was drawn.
    ///
    /// Chunk `i` of the resamples draws from stream `i` of one ChaCha8 generator. The same seed and number of clusters give the same
    /// draws, so that several judges are resampled over the same queries.
    pub(crate) fn new(
        clusters: usize,
        options: &BootstrapOptions,
        figures: impl Fn(&[u32]) -> Vec<Option<f64>> + Sync,
    ) -> Result<Self, StatsError> {
        options.check()?;
        let resamples = options.resamples;
        // One cluster says nothing about its like.
        if clusters < 2 {
            return Ok(Self { sorted: Vec::new(), resamples, units: None });
        }
        let key = key(options.seed);
        let chunks: Vec<Vec<Vec<Option<f64>>>> = (0..resamples.div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                let mut rng = ChaCha8Rng::from_seed(key);
                rng.set_stream(chunk as u64);
                let mut weights = vec![0u32; clusters];
                let here = CHUNK.min(resamples - chunk * CHUNK);
                (0..here)
                    .map(|_| {
                        draw(&mut rng, &mut weights);
                        figures(&weights)
                    })
                    .collect()
            })
            .collect();
        let mut sorted: Vec<Vec<f64>> = Vec::new();
        for figures in chunks.iter().flatten() {
            sorted.resize_with(figures.len(), Vec::new);
            for (values, figure) in sorted.iter_mut().zip(figures) {
                values.extend(figure);
            }
        }
        sorted.par_iter_mut().for_each(|values| values.sort_unstable_by(f64::total_cmp));
        Ok(Self { sorted, resamples, units: Expansion::of(clusters).units(options.confidence) })
    }

    /// The figure's resamples; `None` when there are none, or so many leave it undefined that an end beyond which this share of them
    /// lies could be among those.
    fn of(&self, figure: usize, tail: f64) -> Option<&[f64]> {
        let values = self.sorted.get(figure)?;
        let undefined = (self.resamples - values.len()) as f64;
        (!values.is_empty() && undefined <= tail * self.resamples as f64).then_some(values.as_slice())
    }

    /// The basic interval about an estimate (Davison and Hinkley, Bootstrap Methods and their Application, 1997, section 5.2), but with
    /// deviations from the median of the resamples instead of from the estimate: for figures that every resampling lowers. It holds
    /// the estimate, and stays within `range`.
    pub(crate) fn centred(&self, figure: usize, estimate: f64, confidence: f64, range: Ends) -> Option<Ends> {
        self.units?;
        let values = self.of(figure, (1.0 - confidence) / 2.0)?;
        let median = at(values, 0.5)?;
        let [low, high] = [0.5 - confidence / 2.0, 0.5 + confidence / 2.0].map(|share| at(values, share));
        let [least, most] = range;
        Some([high?, low?].map(|end| (estimate - (end - median)).clamp(least, most)))
    }

    /// The expanded, bias-corrected and accelerated interval about an estimate.
    fn accelerated(&self, figure: usize, estimate: f64, acceleration: f64) -> Option<Ends> {
        let z = self.units?;
        let values = self.of(figure, normal::cdf(-z))?;
        let count = values.len() as f64;
        let below = values.partition_point(|value| *value < estimate);
        let up_to = values.partition_point(|value| *value <= estimate);
        let share = ((below + up_to) as f64 / 2.0).clamp(0.5, count - 0.5) / count;
        let bias = normal::quantile(share);
        let end = |z: f64| {
            let shifted = bias + z;
            let shrink = 1.0 - acceleration * shifted;
            // Beyond the pole of the correction lies the end of the resamples.
            let share = if shrink <= 0.0 {
                f64::from(u8::from(shifted > 0.0))
            } else {
                normal::cdf(bias + shifted / shrink)
            };
            at(values, share)
        };
        Some([end(-z)?, end(z)?])
    }
}

fn key(seed: Seed) -> [u8; 32] {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.stream("agreement").to_le_bytes());
    key
}

/// An index is the high half of a 32-bit draw times the number of clusters (Lemire 2019, without its rejection step), as for
/// means.
fn draw(rng: &mut impl Rng, weights: &mut [u32]) {
    weights.fill(0);
    let clusters = weights.len() as u64;
    for _ in 0..clusters {
        weights[((u64::from(rng.next_u32()) * clusters) >> 32) as usize] += 1;
    }
}

/// A sixth of the skewness of the jackknife's influences: Efron and Tibshirani, equation 14.15.
fn acceleration(left: &[f64]) -> f64 {
    let mean = left.iter().sum::<f64>() / left.len() as f64;
    let (squares, cubes) = left.iter().fold((0.0, 0.0), |(squares, cubes), value| {
        let u = mean - value;
        (squares + u * u, cubes + u * u * u)
    });
    if squares > 0.0 { cubes / (6.0 * f64::powf(squares, 1.5)) } else { 0.0 }
}

/// The value below which a share of the sorted values lies, interpolated (type 7 of Hyndman and Fan 1996, as numpy).
fn at(sorted: &[f64], share: f64) -> Option<f64> {
    let place = share.clamp(0.0, 1.0) * sorted.len().checked_sub(1)? as f64;
    let below = *sorted.get(place.floor() as usize)?;
    let above = *sorted.get(place.ceil() as usize)?;
    Some(below + (above - below) * place.fract())
}
