//! Shares of things that come in clusters, with intervals over clusters.

use super::cluster_resamples::Ends;
use super::cluster_sums::ClusterSums;
use super::options::BootstrapOptions;
use crate::error::StatsError;

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
