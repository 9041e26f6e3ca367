//! The quality of an order.

use llull_core::Item;
use llull_stats::kendall_tau_b;

/// Returns the nDCG of an order of items, best first, under the grades of all items, at a depth, with the
/// gain 2^grade - 1 (Burges et al., Learning to rank using gradient descent, ICML 2005). It is from 0 to 1,
/// and 1 if no item has a grade above 0.
pub fn ndcg(order: &[Item], grades: &[u8], depth: usize) -> f64 {
    let dcg = |grades: &mut dyn Iterator<Item = u8>| -> f64 {
        grades
            .take(depth)
            .enumerate()
            .map(|(rank, grade)| (libm::exp2(f64::from(grade)) - 1.0) / libm::log2(rank as f64 + 2.0))
            .sum()
    };
    let mut ideal = grades.to_vec();
    ideal.sort_unstable_by(|a, b| b.cmp(a));
    let best = dcg(&mut ideal.into_iter());
    if best == 0.0 {
        return 1.0;
    }
    dcg(&mut order.iter().map(|&item| grades.get(item.index()).copied().unwrap_or(0))) / best
}

/// Returns Kendall's tau-b between an order of all items, best first, and their worth. `None` for fewer than
/// two items.
pub fn tau(order: &[Item], worth: &[f64]) -> Option<f64> {
    let pairs: Vec<(f64, f64)> = order
        .iter()
        .enumerate()
        .filter_map(|(place, &item)| Some((-(place as f64), *worth.get(item.index())?)))
        .collect();
    kendall_tau_b(&pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    // By the definition: gains 7, 3, 1, 0 over log2(2), log2(3), log2(4), log2(5).
    #[test]
    fn ndcg_is_the_one_worked_out_by_hand() {
        let grades = [1, 0, 3, 2];
        let expected = (7.0 + 1.0 / 3f64.log2() + 3.0 / 5f64.log2()) / (7.0 + 3.0 / 3f64.log2() + 0.5);
        assert!((ndcg(&[2, 0, 1, 3].map(Item), &grades, 4) - expected).abs() < 1e-15);
        let at_two = (7.0 + 1.0 / 3f64.log2()) / (7.0 + 3.0 / 3f64.log2());
        assert!((ndcg(&[2, 0, 1, 3].map(Item), &grades, 2) - at_two).abs() < 1e-15);
        assert_eq!(ndcg(&[2, 3, 0, 1].map(Item), &grades, 10), 1.0);
        assert_eq!(ndcg(&[0, 1].map(Item), &[0, 0], 10), 1.0);
    }

    #[test]
    fn tau_compares_places_with_worth() {
        assert_eq!(tau(&[2, 1, 0].map(Item), &[0.1, 0.2, 0.3]), Some(1.0));
        assert_eq!(tau(&[0, 1, 2].map(Item), &[0.1, 0.2, 0.3]), Some(-1.0));
        assert_eq!(tau(&[Item(0)], &[0.1]), None);
    }
}
