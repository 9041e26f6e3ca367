//! Sums by query, from which figures of resampled queries are computed.

use super::bias_correction::acceleration;
use super::cluster_resamples::{ClusterResamples, Ends};
use super::options::BootstrapOptions;
use crate::descriptive::mean;
use crate::error::StatsError;

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
