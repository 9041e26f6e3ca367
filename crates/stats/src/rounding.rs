//! Equality of numbers up to rounding.
//!
//! Sums in another order differ in their last digits, and no result may depend on that.

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
