//! What counts as equal: sums in another order differ in their last digits, and that must decide nothing.

/// Twelve significant digits; sums of some thousand values of one size keep that many.
pub(crate) const ROUNDING: f64 = 1e-12;

/// How far a figure computed from these values can be off by rounding alone.
pub(crate) fn noise(values: &[f64]) -> f64 {
    ROUNDING * values.iter().fold(0.0, |most: f64, value| most.max(value.abs()))
}

/// How far a sum of these values, with whatever signs, can be off by rounding alone.
pub(crate) fn noise_of_sum(values: &[f64]) -> f64 {
    ROUNDING * values.iter().map(|value| value.abs()).sum::<f64>()
}

/// `to` less `from`, and 0 when they differ by no more than rounding. Infinite when one of them is.
pub(crate) fn difference(from: f64, to: f64) -> f64 {
    let difference = to - from;
    if difference.is_finite() && difference.abs() <= noise(&[from, to]) { 0.0 } else { difference }
}
