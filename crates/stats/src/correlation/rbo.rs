//! Rank-biased overlap of two orders of the same items.

/// Rank-biased overlap of two orders of the same items, from above 0 to 1 (the same order): each pair has an item's figure on either
/// side, the highest comes first.
///
/// The share of items that both have in their first d places, over every depth d, each depth p times as heavy as the one before.
/// Webber, Moffat and Zobel, A similarity measure for indefinite rankings, TOIS 28(4), 2010: the extrapolated value (equation 23), which
/// here is exact in that both orders hold the same items, so that from the last place on they agree.
///
/// Ties are equals (Webber et al., equation 28; the w-variant of Corsi and Urbano, The treatment of ties in rank-biased overlap, SIGIR
/// 2024): tied items all stand at the first of the places that they take up, and where more than d items are within the first d
/// places the overlap counts twice over the sum of both numbers of items.
///
/// A `p` of 0.9 gives the first ten places 86% of the weight. `None` when p does not lie between 0 and 1, there is no
/// item, or a figure is NaN.
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
    if pairs.is_empty() || !(p > 0.0 && p < 1.0) || pairs.iter().any(|(x, y)| x.is_nan() || y.is_nan()) {
        return None;
    }
    let first = first_places(pairs.iter().map(|pair| pair.0));
    let second = first_places(pairs.iter().map(|pair| pair.1));
    // By depth: items that enter either order, and both.
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

/// Each item's place from 0, the highest figure first; tied items share the first place that they take up.
fn first_places(figures: impl Iterator<Item = f64>) -> Vec<usize> {
    let mut sorted: Vec<(usize, f64)> = figures.enumerate().collect();
    // Adding 0 makes -0 equal to 0.
    sorted.sort_by(|a, b| (b.1 + 0.0).total_cmp(&(a.1 + 0.0)));
    let mut places = vec![0; sorted.len()];
    let mut before = 0;
    for tied in sorted.chunk_by(|a, b| a.1 == b.1) {
        for (item, _) in tied {
            places[*item] = before;
        }
        before += tied.len();
    }
    places
}
