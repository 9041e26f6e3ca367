//! The corrections of BCa intervals, for bias and skewness.
//!
//! Efron and Tibshirani 1993, chapter 14.

use crate::distribution::normal;

/// The corrections of the percentiles of resamples.
#[derive(Clone, Copy)]
pub(super) struct BiasCorrection {
    /// How far the median of the resamples lies from the estimate, in normal units.
    pub(super) bias: f64,
    /// How fast the standard error changes with the figure: a sixth of its skewness, by the jackknife.
    pub(super) acceleration: f64,
}

impl BiasCorrection {
    pub(super) const NONE: Self = Self { bias: 0.0, acceleration: 0.0 };

    /// Of an estimate among its resamples, which ascend.
    pub(super) fn new(ascending: &[f64], estimate: f64, acceleration: f64) -> Self {
        Self { bias: normal::quantile(share_below(ascending, estimate)), acceleration }
    }

    /// Returns the share of the resamples that lie below `z` standard errors after the corrections.
    pub(super) fn share(self, z: f64) -> f64 {
        let shifted = self.bias + z;
        let shrink = 1.0 - self.acceleration * shifted;
        // Beyond the pole of the correction lie all resamples or none.
        if shrink <= 0.0 {
            f64::from(u8::from(shifted > 0.0))
        } else {
            normal::cdf(self.bias + shifted / shrink)
        }
    }
}

/// Returns the share of ascending resamples below `point`, counting those equal to it half. At least half a resample
/// away from 0 and 1, so that its normal quantile is finite.
pub(super) fn share_below(ascending: &[f64], point: f64) -> f64 {
    let below = ascending.partition_point(|value| *value < point);
    let up_to = ascending.partition_point(|value| *value <= point);
    let count = ascending.len() as f64;
    ((below + up_to) as f64 / 2.0).clamp(0.5, count - 0.5) / count
}

/// Returns a sixth of Σu³ / (Σu²)^1.5: the acceleration if u are the influences of the values, by the jackknife
/// (Efron and Tibshirani 1993, equation 14.15). 0 without any spread.
pub(super) fn acceleration(influences: impl Iterator<Item = f64>) -> f64 {
    let (squares, cubes) =
        influences.fold((0.0, 0.0), |(squares, cubes), u| (squares + u * u, cubes + u * u * u));
    if squares > 0.0 { cubes / (6.0 * f64::powf(squares, 1.5)) } else { 0.0 }
}

/// Returns the [`acceleration`] of influences of any size: scaled to at most 1, so that no power overflows or vanishes.
pub(super) fn scaled_acceleration(influences: impl Iterator<Item = f64> + Clone) -> f64 {
    let most = influences.clone().fold(0.0, |most: f64, u| most.max(u.abs()));
    acceleration(influences.map(|u| u / most))
}
