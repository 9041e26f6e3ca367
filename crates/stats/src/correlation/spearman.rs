//! Spearman's rank correlation.

use super::pearson::pearson;
use super::ties::{any_nan, places};

/// Returns Spearman's rank correlation of paired figures, from -1 to 1: Pearson's correlation of their ranks, where
/// tied items share the mean of their ranks.
///
/// Spearman, The proof and measurement of association between two things, American Journal of Psychology 15(1), 1904.
///
/// `None` if it is undefined: for fewer than two items, a side on which all items are tied, or a figure that is NaN.
///
/// ```
/// use llull_stats::spearman;
///
/// assert_eq!(spearman(&[(0.1, 1.0), (0.2, 10.0), (0.9, 11.0)]), Some(1.0));
/// ```
pub fn spearman(pairs: &[(f64, f64)]) -> Option<f64> {
    if any_nan(pairs) {
        return None;
    }
    let x = mean_ranks(pairs.iter().map(|pair| pair.0));
    let y = mean_ranks(pairs.iter().map(|pair| pair.1));
    pearson(&x.into_iter().zip(y).collect::<Vec<_>>())
}

/// Ranks from 1 for the lowest figure; tied figures share the mean of theirs.
fn mean_ranks(figures: impl Iterator<Item = f64>) -> Vec<f64> {
    places(figures, |tied| tied.items_before as f64 + (tied.length as f64 + 1.0) / 2.0)
}
