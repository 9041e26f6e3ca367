//! Figures of resampled queries, and their intervals.

use rand::Rng;
use rayon::prelude::*;

use super::interval::{BiasCorrection, BootstrapOptions, Expansion, acceleration};
use crate::descriptive::{mean, quantile};
use crate::distribution::normal;
use crate::error::StatsError;
use crate::random_streams::{RandomStreams, below};

/// Returns the intervals of several shares. Of each cluster (a query) and share there is `[counted, all]`; the share is
/// the sum of `counted` over the sum of `all`. Clusters are drawn, each with all that is in it; the ends are expanded
/// BCa. `None` if there are too few clusters, or if too many resamples leave the share undefined.
///
/// A share that is 0 or 1 in every cluster is so in every resample: its interval is a point, although the true share
/// may differ. [`exact_interval`](crate::exact_interval) bounds that.
///
/// # Errors
/// Returns an error if the options are out of range.
pub fn clustered_shares(
    clusters: &[Vec<[f64; 2]>],
    options: &BootstrapOptions,
) -> Result<Vec<Option<Ends>>, StatsError> {
    let shares = clusters.iter().map(Vec::len).max().unwrap_or(0);
    let mut sums = ClusterSums::new(2 * shares);
    for cluster in clusters {
        let both = cluster.iter().enumerate();
        sums.push(both.flat_map(|(share, [counted, all])| [(2 * share, *counted), (2 * share + 1, *all)]));
    }
    sums.intervals(options, |sums| {
        sums.chunks_exact(2).map(|both| (both[1] > 0.0).then(|| both[0] / both[1])).collect()
    })
}

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

/// Sums by cluster, only those that are not 0. The sums of a resample are sums of these, so that a resample need not
/// look at a single pair again.
///
/// A cluster is a query: pairs of one query are similar and so not independent, but queries are.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ClusterSums {
    width: usize,
    /// The position after each cluster's last entry.
    ends: Vec<usize>,
    entries: Vec<(u32, f64)>,
}

impl ClusterSums {
    /// Starts without clusters; each will have `width` sums.
    pub(crate) fn new(width: usize) -> Self {
        Self { width, ends: Vec::new(), entries: Vec::new() }
    }

    /// Adds a cluster: the numbers of sums, each with the cluster's contribution; a number may occur twice.
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

    /// Returns the sums over all clusters.
    pub(crate) fn total(&self) -> Vec<f64> {
        let mut total = vec![0.0; self.width];
        for (sum, value) in &self.entries {
            total[*sum as usize] += value;
        }
        total
    }

    /// The sums over the clusters, each multiplied with its weight.
    fn weighted(&self, weights: &[u32]) -> Vec<f64> {
        let mut sums = vec![0.0; self.width];
        for (entries, weight) in self.clusters().zip(weights) {
            if *weight > 0 {
                let weight = f64::from(*weight);
                for (sum, value) in entries {
                    sums[*sum as usize] += weight * value;
                }
            }
        }
        sums
    }

    /// Returns the intervals of figures that are functions of the sums: BCa (Efron and Tibshirani 1993, chapter 14)
    /// with the jackknife over clusters, expanded for few clusters (Hesterberg 2015), as those of means.
    pub(crate) fn intervals(
        &self,
        options: &BootstrapOptions,
        figures: impl Fn(&[f64]) -> Vec<Option<f64>> + Sync,
    ) -> Result<Vec<Option<Ends>>, StatsError> {
        let total = self.total();
        let estimates = figures(&total);
        let resamples =
            ClusterResamples::new(self.len(), options, |weights| figures(&self.weighted(weights)))?;
        let jackknife = self.jackknife(&total, figures);
        let interval = |(number, estimate): (usize, &Option<f64>)| {
            let left: Vec<f64> = jackknife.iter().filter_map(|figures| figures[number]).collect();
            let mean = mean(&left);
            resamples.accelerated(number, (*estimate)?, acceleration(left.iter().map(|value| mean - value)))
        };
        Ok(estimates.iter().enumerate().map(interval).collect())
    }

    /// The figures without each cluster in turn.
    fn jackknife(
        &self,
        total: &[f64],
        figures: impl Fn(&[f64]) -> Vec<Option<f64>>,
    ) -> Vec<Vec<Option<f64>>> {
        let mut sums = total.to_vec();
        let without = |entries: &[(u32, f64)]| {
            for (sum, value) in entries {
                let left = sums[*sum as usize] - value;
                // A difference of sums that differs from 0 by rounding alone is 0.
                let rounding = 1e-11 * total[*sum as usize];
                sums[*sum as usize] = if left.abs() <= rounding { 0.0 } else { left };
            }
            let without = figures(&sums);
            for (sum, _) in entries {
                sums[*sum as usize] = total[*sum as usize];
            }
            without
        };
        self.clusters().map(without).collect()
    }
}

#[cfg(test)]
mod tests {
    use llull_core::Seed;

    use super::*;

    /// With clusters of one size a share is the mean of the clusters' shares, and has its interval.
    #[test]
    fn equal_clusters_are_a_mean() {
        let right = [3.0, 4.0, 2.0, 4.0, 1.0, 3.0, 4.0, 4.0, 0.0, 3.0];
        let clusters: Vec<Vec<[f64; 2]>> = right.iter().map(|right| vec![[*right, 4.0]]).collect();
        let options = BootstrapOptions::new(Seed(5));
        let found = clustered_shares(&clusters, &options).unwrap()[0].unwrap();
        let shares: Vec<f64> = right.iter().map(|right| right / 4.0).collect();
        let mean = crate::mean_interval(&shares, &options).unwrap();
        // The draws are others, so the ends agree as far as 10,000 resamples do.
        assert!((found[0] - mean.low).abs() < 0.03, "{found:?} {}..{}", mean.low, mean.high);
        assert!((found[1] - mean.high).abs() < 0.03, "{found:?} {}..{}", mean.low, mean.high);
    }

    #[test]
    fn few_clusters_and_nothing_decided_have_no_interval() {
        let options = BootstrapOptions::new(Seed(5));
        assert_eq!(clustered_shares(&[vec![[1.0, 2.0]]], &options).unwrap(), [None]);
        let nothing: Vec<Vec<[f64; 2]>> = vec![vec![[0.0, 0.0]]; 9];
        assert_eq!(clustered_shares(&nothing, &options).unwrap(), [None]);
    }
}
