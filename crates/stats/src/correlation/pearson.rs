//! Pearson's product-moment correlation.

/// Returns Pearson's correlation of paired figures, from -1 to 1.
///
/// Pearson, Notes on regression and inheritance in the case of two parents, Proceedings of the Royal Society 58, 1895.
///
/// `None` if it is undefined: for fewer than two items, a constant side, or a figure that is not finite.
///
/// ```
/// use llull_stats::pearson;
///
/// assert_eq!(pearson(&[(1.0, 2.0), (2.0, 4.0), (3.0, 6.0)]), Some(1.0));
/// assert_eq!(pearson(&[(1.0, 2.0), (1.0, 4.0)]), None);
/// ```
pub fn pearson(pairs: &[(f64, f64)]) -> Option<f64> {
    if pairs.len() < 2 || pairs.iter().any(|(x, y)| !x.is_finite() || !y.is_finite()) {
        return None;
    }
    // The mean of equal figures can differ from them in the last digit; the spread would then be rounding alone.
    let constant = |side: fn(&(f64, f64)) -> f64| pairs.windows(2).all(|two| side(&two[0]) == side(&two[1]));
    if constant(|pair| pair.0) || constant(|pair| pair.1) {
        return None;
    }
    let n = pairs.len() as f64;
    let (sum_x, sum_y) = pairs.iter().fold((0.0, 0.0), |(x, y), pair| (x + pair.0, y + pair.1));
    let (mean_x, mean_y) = (sum_x / n, sum_y / n);
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for (x, y) in pairs {
        let (dx, dy) = (x - mean_x, y - mean_y);
        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
    }
    // One root is exact if both sides have the same spread; two do not overflow.
    let product: f64 = xx * yy;
    let spread = if product.is_normal() { product.sqrt() } else { f64::sqrt(xx) * f64::sqrt(yy) };
    (spread > 0.0).then(|| (xy / spread).clamp(-1.0, 1.0))
}
