//! A figure over many simulations.

use serde::Serialize;

/// Mean, extremes and percentiles of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SampleSummary {
    /// The arithmetic mean.
    pub mean: f64,
    /// The least value.
    pub min: f64,
    /// The 5th percentile.
    pub p5: f64,
    /// The median.
    pub p50: f64,
    /// The 95th percentile.
    pub p95: f64,
    /// The greatest value.
    pub max: f64,
}

impl SampleSummary {
    /// Summarises a sample. Percentiles are interpolated between neighbours (R's type 7, numpy's default:
    /// Hyndman and Fan, Sample quantiles in statistical packages, The American Statistician 50(4), 1996).
    /// `None` for an empty sample.
    ///
    /// ```
    /// use llull_rank::simulate::SampleSummary;
    ///
    /// let calls = SampleSummary::of(vec![7.0, 9.0, 8.0, 8.0]).unwrap();
    /// assert_eq!((calls.mean, calls.p50, calls.max), (8.0, 8.0, 9.0));
    /// ```
    pub fn of(mut sample: Vec<f64>) -> Option<Self> {
        sample.sort_unstable_by(f64::total_cmp);
        let percentile = |percent: f64| {
            let at = percent / 100.0 * (sample.len() - 1) as f64;
            let low = *sample.get(at as usize)?;
            let high = sample.get(at as usize + 1).copied().unwrap_or(low);
            Some(low + (high - low) * at.fract())
        };
        let (&min, &max) = (sample.first()?, sample.last()?);
        Some(Self {
            mean: sample.iter().sum::<f64>() / sample.len() as f64,
            min,
            p5: percentile(5.0)?,
            p50: percentile(50.0)?,
            p95: percentile(95.0)?,
            max,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // numpy 2.3: numpy.percentile([3, 1, 4, 1, 5, 9, 2, 6], [5, 50, 95])
    #[test]
    fn percentiles_are_numpys() {
        let found = SampleSummary::of([3, 1, 4, 1, 5, 9, 2, 6].map(f64::from).to_vec()).unwrap();
        for (found, expected) in [(found.p5, 1.0), (found.p50, 3.5), (found.p95, 7.95), (found.mean, 3.875)] {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        assert_eq!((found.min, found.max), (1.0, 9.0));
    }

    #[test]
    fn one_figure_is_all_of_them_and_none_is_nothing() {
        let one = SampleSummary::of(vec![2.5]).unwrap();
        assert_eq!([one.mean, one.min, one.p5, one.p50, one.p95, one.max], [2.5; 6]);
        assert_eq!(SampleSummary::of(Vec::new()), None);
    }
}
