//! Correlation of two orders: Kendall, AP, Spearman, Pearson, rank-biased overlap.

use std::cmp::Ordering;

/// Returns Kendall's tau-b of paired figures, from -1 (reversed) to 1 (the same order).
///
/// Pairs of items tied on one side count for neither order and are taken out of the denominator: Kendall, The treatment
/// of ties in ranking problems, Biometrika 33(3), 1945. In O(n log n): Knight, A computer method for calculating
/// Kendall's tau with ungrouped data, JASA 61(314), 1966.
///
/// `None` if it is undefined: for fewer than two items, a side on which all items are tied, or a figure that is NaN.
///
/// ```
/// use llull_stats::kendall_tau_b;
///
/// assert_eq!(kendall_tau_b(&[(0.3, 0.5), (0.2, 0.4), (0.1, 0.1)]), Some(1.0));
/// assert_eq!(kendall_tau_b(&[(0.3, 0.5), (0.2, 0.5)]), None);
/// ```
pub fn kendall_tau_b(pairs: &[(f64, f64)]) -> Option<f64> {
    if any_nan(pairs) {
        return None;
    }
    let mut sorted = pairs.to_vec();
    sorted.sort_unstable_by(|a, b| order(a.0, b.0).then(order(a.1, b.1)));
    let tied_x = tied_pairs(&sorted, |a, b| a.0 == b.0);
    let tied_both = tied_pairs(&sorted, |a, b| a == b);
    let mut ys: Vec<f64> = sorted.iter().map(|(_, y)| *y).collect();
    let discordant = sort_counting_exchanges(&mut ys);
    let tied_y = tied_pairs(&ys, |a, b| a == b);

    let all = choose_two(pairs.len());
    let concordant_less_discordant =
        all as i64 + tied_both as i64 - tied_x as i64 - tied_y as i64 - 2 * discordant as i64;
    let (orders_x, orders_y) = (all - tied_x, all - tied_y);
    if orders_x == 0 || orders_y == 0 {
        return None;
    }
    // A single root: that of a square is exact, so that the same order gives exactly 1.
    let tau = concordant_less_discordant as f64 / (orders_x as f64 * orders_y as f64).sqrt();
    Some(tau.clamp(-1.0, 1.0))
}

fn order(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

fn choose_two(n: usize) -> u64 {
    let n = n as u64;
    n * n.saturating_sub(1) / 2
}

/// The number of pairs within runs of equal neighbours.
fn tied_pairs<T>(sorted: &[T], equal: impl Fn(&T, &T) -> bool) -> u64 {
    sorted.chunk_by(equal).map(|run| choose_two(run.len())).sum()
}

/// Sorts by merging and returns the number of pairs that were in the wrong order.
fn sort_counting_exchanges(values: &mut [f64]) -> u64 {
    if values.len() < 2 {
        return 0;
    }
    let (left, right) = values.split_at_mut(values.len() / 2);
    let mut exchanges = sort_counting_exchanges(left) + sort_counting_exchanges(right);
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut lefts, mut rights) = (left.iter().peekable(), right.iter().peekable());
    while let (Some(&&l), Some(&&r)) = (lefts.peek(), rights.peek()) {
        if r < l {
            exchanges += lefts.len() as u64;
            merged.extend(rights.next());
        } else {
            merged.extend(lefts.next());
        }
    }
    merged.extend(lefts);
    merged.extend(rights);
    values.copy_from_slice(&merged);
    exchanges
}

/// Returns the AP correlation of an estimated order with a true one, from -1 (reversed) to 1 (the same order). Each
/// pair is (true figure, estimated figure); the highest figure comes first.
///
/// Pick an item of the estimated order at random, except the first, then one of those above it: tau_AP is how much
/// likelier the two are in the true order than not. So an exchange at the top costs more than one at the bottom.
/// Yilmaz, Aslam and Robertson, A new rank correlation coefficient for information retrieval, SIGIR 2008. The two
/// sides are not interchangeable; [`tau_ap_b`] is the mean of both ways.
///
/// Ties as in Urbano and Marrero, The treatment of ties in AP correlation, ICTIR 2017, tau_AP,b: an item that is tied
/// in the estimate is compared with the items above its whole group, the first group is left out, and a pair that is
/// tied in truth is not in order. Hence a truth with ties never gives 1.
///
/// `None` if it is undefined: for fewer than two items, an estimate in which all items are tied, or a figure that is
/// NaN.
///
/// ```
/// use llull_stats::tau_ap;
///
/// // One exchange among four: at the bottom, then at the top.
/// let bottom = tau_ap(&[(0.9, 0.9), (0.8, 0.8), (0.7, 0.6), (0.6, 0.7)]);
/// let top = tau_ap(&[(0.9, 0.8), (0.8, 0.9), (0.7, 0.7), (0.6, 0.6)]);
/// assert!(bottom.is_some_and(|tau| (tau - 7.0 / 9.0).abs() < 1e-15));
/// assert!(top.is_some_and(|tau| (tau - 1.0 / 3.0).abs() < 1e-15));
/// ```
pub fn tau_ap(pairs: &[(f64, f64)]) -> Option<f64> {
    if any_nan(pairs) {
        return None;
    }
    // The item with the highest true figure has 1, and ties share a number.
    let numbers = places(pairs.iter().map(|(truth, _)| -truth), |tied| tied.runs_before + 1);
    let mut sorted: Vec<(usize, f64)> =
        numbers.into_iter().zip(pairs).map(|(number, pair)| (number, pair.1)).collect();
    // Adding 0 makes -0 equal to 0.
    sorted.sort_by(|a, b| (b.1 + 0.0).total_cmp(&(a.1 + 0.0)));
    let mut seen = Counts::new(sorted.len());
    let (mut in_order, mut compared, mut above) = (0.0, 0, 0);
    for tied in sorted.chunk_by(|a, b| a.1 == b.1) {
        if above > 0 {
            compared += tied.len();
            for (number, _) in tied {
                in_order += seen.below(*number) as f64 / above as f64;
            }
        }
        for (number, _) in tied {
            seen.add(*number);
        }
        above += tied.len();
    }
    (compared > 0).then(|| 2.0 * in_order / compared as f64 - 1.0)
}

/// Returns the AP correlation of two orders of equal standing: the mean of [`tau_ap`] both ways, tau_AP,b of Urbano and
/// Marrero 2017 (and `tauap_b` of ircor, pyircor and TREC AutoJudge, which returns 0 where this is undefined).
///
/// `None` if it is undefined: for fewer than two items, a side on which all items are tied, or a figure that is NaN.
///
/// ```
/// use llull_stats::tau_ap_b;
///
/// assert_eq!(tau_ap_b(&[(3.0, 0.3), (2.0, 0.2), (1.0, 0.1)]), Some(1.0));
/// ```
pub fn tau_ap_b(pairs: &[(f64, f64)]) -> Option<f64> {
    let exchanged: Vec<(f64, f64)> = pairs.iter().map(|(x, y)| (*y, *x)).collect();
    Some((tau_ap(pairs)? + tau_ap(&exchanged)?) / 2.0)
}

/// Counts the added numbers below a given one: a tree of partial sums (Fenwick, A new data structure for cumulative
/// frequency tables, Software: Practice and Experience 24(3), 1994).
struct Counts(Vec<usize>);

impl Counts {
    fn new(largest: usize) -> Self {
        Self(vec![0; largest + 1])
    }

    fn add(&mut self, mut number: usize) {
        while let Some(count) = self.0.get_mut(number) {
            *count += 1;
            number += number & number.wrapping_neg();
        }
    }

    fn below(&self, number: usize) -> usize {
        let mut at = number - 1;
        let mut sum = 0;
        while at > 0 {
            sum += self.0[at];
            at &= at - 1;
        }
        sum
    }
}

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

/// A run of tied items in an order.
struct Tied {
    /// The number of runs before this one.
    runs_before: usize,
    /// The number of items before this run.
    items_before: usize,
    /// The number of items in this run.
    pub(super) length: usize,
}

/// Returns a value for each item, the same for tied ones: the result of `place` for the item's run in the ascending
/// order of the figures. None of these is NaN.
fn places<T: Clone + Default>(figures: impl Iterator<Item = f64>, place: impl Fn(Tied) -> T) -> Vec<T> {
    let mut sorted: Vec<(usize, f64)> = figures.enumerate().collect();
    // Adding 0 makes -0 equal to 0.
    sorted.sort_by(|a, b| (a.1 + 0.0).total_cmp(&(b.1 + 0.0)));
    let mut places = vec![T::default(); sorted.len()];
    let mut items_before = 0;
    for (runs_before, run) in sorted.chunk_by(|a, b| a.1 == b.1).enumerate() {
        let value = place(Tied { runs_before, items_before, length: run.len() });
        for (item, _) in run {
            places[*item] = value.clone();
        }
        items_before += run.len();
    }
    places
}

/// Whether a figure of a pair is NaN.
fn any_nan(pairs: &[(f64, f64)]) -> bool {
    pairs.iter().any(|(x, y)| x.is_nan() || y.is_nan())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One of three pairs is tied on both sides: the root of 3 - 1 = 2 on each side, whose square is more than 2.
    #[test]
    fn the_same_order_is_exactly_one_with_ties_too() {
        for n in 2..40u32 {
            let pairs: Vec<(f64, f64)> = (0..n).map(|at| (f64::from(at / 2), f64::from(at / 2))).collect();
            let tau = kendall_tau_b(&pairs);
            assert_eq!(tau, (n > 2).then_some(1.0), "{n}");
        }
    }
}
