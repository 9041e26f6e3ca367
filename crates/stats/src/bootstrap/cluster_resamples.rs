//! Figures of resampled queries, and their intervals.

use rand::Rng;
use rayon::prelude::*;

use super::bias_correction::BiasCorrection;
use super::expansion::Expansion;
use super::options::BootstrapOptions;
use crate::descriptive::quantile;
use crate::distribution::normal;
use crate::error::StatsError;
use crate::random_streams::{RandomStreams, below};

/// Both ends of an interval, the lower first. Written as `[low, high]`.
pub type Ends = [f64; 2];

/// The number of resamples that share one random stream. A constant, so that neither the number of cores nor their
/// timing has any effect.
const CHUNK: usize = 32;

/// Figures of resamples of whole clusters.
pub(crate) struct ClusterResamples {
    /// For each figure its values in the resamples that define it, ascending.
    sorted: Vec<Vec<f64>>,
    resamples: usize,
    /// How many normal units on either side an interval takes; `None` if there are too few clusters for one.
    units: Option<f64>,
}

impl ClusterResamples {
    /// Draws as many clusters as there are, with replacement, `resamples` times, and computes the figures of each
    /// resample from how often each cluster was drawn.
    ///
    /// The same seed and number of clusters give the same draws, so that several judges are resampled over the same
    /// queries.
    pub(crate) fn new(
        clusters: usize,
        options: &BootstrapOptions,
        figures: impl Fn(&[u32]) -> Vec<Option<f64>> + Sync,
    ) -> Result<Self, StatsError> {
        options.check()?;
        let resamples = options.resamples;
        // A single cluster carries no information about others.
        if clusters < 2 {
            return Ok(Self { sorted: Vec::new(), resamples, units: None });
        }
        let streams = RandomStreams::new(options.seed, "agreement");
        let chunks: Vec<Vec<Vec<Option<f64>>>> = (0..resamples.div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                let mut rng = streams.chunk(chunk);
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

    /// The values of a figure. `None` if there are no values, or if the figure is undefined in too many resamples.
    /// These are so many that the end of an interval, beyond which lies a share of `tail`, could be among them.
    fn of(&self, figure: usize, tail: f64) -> Option<&[f64]> {
        let values = self.sorted.get(figure)?;
        let undefined = (self.resamples - values.len()) as f64;
        (!values.is_empty() && undefined <= tail * self.resamples as f64).then_some(values.as_slice())
    }

    /// Returns the basic interval about an estimate (Davison and Hinkley, Bootstrap Methods and their Application,
    /// 1997, section 5.2), but with deviations from the median of the resamples instead of from the estimate: for
    /// figures that every resampling lowers. It holds the estimate and stays within `range`.
    pub(crate) fn centred(&self, figure: usize, estimate: f64, confidence: f64, range: Ends) -> Option<Ends> {
        self.units?;
        let values = self.of(figure, (1.0 - confidence) / 2.0)?;
        let median = quantile(values, 0.5)?;
        let [low, high] =
            [0.5 - confidence / 2.0, 0.5 + confidence / 2.0].map(|share| quantile(values, share));
        let [least, most] = range;
        Some([high?, low?].map(|end| (estimate - (end - median)).clamp(least, most)))
    }

    /// Returns the expanded BCa interval about an estimate.
    pub(crate) fn accelerated(&self, figure: usize, estimate: f64, acceleration: f64) -> Option<Ends> {
        let z = self.units?;
        let values = self.of(figure, normal::cdf(-z))?;
        let correction = BiasCorrection::new(values, estimate, acceleration);
        let end = |z: f64| quantile(values, correction.share(z));
        Some([end(-z)?, end(z)?])
    }
}

fn draw(rng: &mut impl Rng, weights: &mut [u32]) {
    weights.fill(0);
    for _ in 0..weights.len() {
        weights[below(weights.len(), rng)] += 1;
    }
}
