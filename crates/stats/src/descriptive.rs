//! Means and spreads, and equality of numbers up to rounding.
//!
//! Sums in another order differ in their last digits, and no result may depend on that.

/// Returns the mean; NaN for no values.
pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Returns the sum of squared deviations over n - 1; `None` for fewer than two values.
pub(crate) fn variance(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    Some(squares / (values.len() - 1) as f64)
}

/// Returns the least and the greatest of the values; infinity and minus infinity for none.
pub(crate) fn range(values: &[f64]) -> (f64, f64) {
    let ends = (f64::INFINITY, f64::NEG_INFINITY);
    values.iter().fold(ends, |(least, most), value| (least.min(*value), most.max(*value)))
}

/// Returns the value below which a share of the ascending values lies, interpolated between neighbours: type 7 of
/// Hyndman and Fan, Sample quantiles in statistical packages, The American Statistician 50(4), 1996, as in numpy.
/// `None` for no values.
pub(crate) fn quantile(ascending: &[f64], share: f64) -> Option<f64> {
    let place = share.clamp(0.0, 1.0) * ascending.len().checked_sub(1)? as f64;
    let below = *ascending.get(place.floor() as usize)?;
    let above = *ascending.get(place.ceil() as usize)?;
    Some(below + (above - below) * place.fract())
}

/// Twelve significant digits; sums of some thousand values of similar size keep that many.
pub(crate) const ROUNDING: f64 = 1e-12;

/// Returns how far rounding alone can move a figure computed from these values.
pub(crate) fn noise(values: &[f64]) -> f64 {
    ROUNDING * values.iter().fold(0.0, |most: f64, value| most.max(value.abs()))
}

/// Returns how far rounding alone can move a sum of these values, whatever their signs.
pub(crate) fn noise_of_sum(values: &[f64]) -> f64 {
    ROUNDING * values.iter().map(|value| value.abs()).sum::<f64>()
}

/// Returns `to` less `from`, and exactly 0 if they differ by rounding alone. Infinite if one of them is.
pub(crate) fn difference(from: f64, to: f64) -> f64 {
    let difference = to - from;
    if difference.is_finite() && difference.abs() <= noise(&[from, to]) { 0.0 } else { difference }
}
