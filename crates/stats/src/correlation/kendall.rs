//! Kendall's rank correlation with ties.

use std::cmp::Ordering;

use super::ties::any_nan;

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
