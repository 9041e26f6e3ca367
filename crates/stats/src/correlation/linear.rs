//! Pearson's and Spearman's correlation.

/// Pearson's product-moment correlation of paired figures, from -1 to 1.
///
/// Pearson, Notes on regression and inheritance in the case of two parents, Proceedings of the Royal Society 58, 1895.
///
/// `None` when it is undefined: fewer than two items, one side constant, or a figure that is not finite.
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
    // A mean of equal figures can differ from them in its last digit; then the spread would be rounding.
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
    // One root is exact where both sides spread alike; two do not overflow.
    let product: f64 = xx * yy;
    let spread = if product.is_normal() { product.sqrt() } else { f64::sqrt(xx) * f64::sqrt(yy) };
    (spread > 0.0).then(|| (xy / spread).clamp(-1.0, 1.0))
}

/// Spearman's rank correlation of paired figures, from -1 to 1: Pearson's correlation of their ranks, where tied items share
/// the mean of the ranks that they take up.
///
/// Spearman, The proof and measurement of association between two things, American Journal of Psychology 15(1), 1904.
///
/// `None` when it is undefined: fewer than two items, all items tied on one side, or a figure that is NaN.
///
/// ```
/// use llull_stats::spearman;
///
/// assert_eq!(spearman(&[(0.1, 1.0), (0.2, 10.0), (0.9, 11.0)]), Some(1.0));
/// ```
pub fn spearman(pairs: &[(f64, f64)]) -> Option<f64> {
    if pairs.iter().any(|(x, y)| x.is_nan() || y.is_nan()) {
        return None;
    }
    let x = mean_ranks(pairs.iter().map(|pair| pair.0));
    let y = mean_ranks(pairs.iter().map(|pair| pair.1));
    pearson(&x.into_iter().zip(y).collect::<Vec<_>>())
}

/// Ranks from 1, the lowest figure first; tied figures share the mean of theirs.
fn mean_ranks(figures: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut sorted: Vec<(usize, f64)> = figures.enumerate().collect();
    // Adding 0 makes -0 equal to 0.
    sorted.sort_by(|a, b| (a.1 + 0.0).total_cmp(&(b.1 + 0.0)));
    let mut ranks = vec![0.0; sorted.len()];
    let mut before = 0;
    for tied in sorted.chunk_by(|a, b| a.1 == b.1) {
        let rank = before as f64 + (tied.len() as f64 + 1.0) / 2.0;
        for (item, _) in tied {
            ranks[*item] = rank;
        }
        before += tied.len();
    }
    ranks
}
