//! Mean, variance, range and quantiles of a list of values.

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
