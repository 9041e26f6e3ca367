//! Rank-biased overlap of two orders of the same items.

use super::ties::{any_nan, places};

/// Returns the rank-biased overlap of two orders of the same items, from above 0 to 1 (the same order). Each pair holds
/// the two figures of an item; the highest comes first.
///
/// It is the share of items that both orders have in their first d places, averaged over every depth d, where each
/// depth weighs p times the one before. Webber, Moffat and Zobel, A similarity measure for indefinite rankings, TOIS
/// 28(4), 2010: the extrapolated value (equation 23), which is exact here, since both orders hold the same items and so
/// agree from the last place on.
///
/// Ties are equals (Webber et al., equation 28; the w-variant of Corsi and Urbano, The treatment of ties in rank-biased
/// overlap, SIGIR 2024): tied items all stand at the first of their places. If more than d items are within the first d
/// places, the agreement is twice the overlap over the sum of both numbers of items.
///
/// A `p` of 0.9 gives the first ten places 86% of the weight. `None` if p is not between 0 and 1, there are no items,
/// or a figure is NaN.
///
/// ```
/// use llull_stats::rank_biased_overlap;
///
/// let same = [(0.9, 9.0), (0.5, 5.0), (0.1, 1.0)];
/// assert!(rank_biased_overlap(&same, 0.9).is_some_and(|rbo| (rbo - 1.0).abs() < 1e-15));
/// // The first two exchanged: nothing in common at depth 1, which weighs 1 - p.
/// let top = [(0.9, 5.0), (0.5, 9.0), (0.1, 1.0)];
/// assert!(rank_biased_overlap(&top, 0.9).is_some_and(|rbo| (rbo - 0.9).abs() < 1e-15));
/// ```
pub fn rank_biased_overlap(pairs: &[(f64, f64)], p: f64) -> Option<f64> {
    if pairs.is_empty() || !(p > 0.0 && p < 1.0) || any_nan(pairs) {
        return None;
    }
    let first = first_places(pairs.iter().map(|pair| pair.0));
    let second = first_places(pairs.iter().map(|pair| pair.1));
    // For each depth: the items that enter either order, and those that are now in both.
    let mut entering = vec![(0usize, 0usize); pairs.len()];
    for (a, b) in first.iter().zip(&second) {
        for place in [a, b] {
            entering[*place].0 += 1;
        }
        entering[*a.max(b)].1 += 1;
    }
    let (mut held, mut common) = (0, 0);
    let (mut sum, mut weight, mut agreement) = (0.0, 1.0 - p, 1.0);
    for (either, both) in entering {
        held += either;
        common += both;
        agreement = 2.0 * common as f64 / held as f64;
        sum += weight * agreement;
        weight *= p;
    }
    Some(sum + agreement * weight / (1.0 - p))
}

/// Each item's place from 0 for the highest figure; tied items share the first of their places.
fn first_places(figures: impl Iterator<Item = f64>) -> Vec<usize> {
    places(figures.map(|figure| -figure), |tied| tied.items_before)
}
