//! The quality of an order.

use llull_core::{Grade, Item};
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

/// Returns the same of labels: documents are in the order of their labels, and those with equal ones, or without one,
/// in an order drawn at random, of which it is the expectation. `None` if no document has a label.
pub fn ndcg_of_labels(labels: &[Option<Grade>], grades: &[u8], depth: usize) -> Option<f64> {
    labels.iter().flatten().next()?;
    let gain = |grade: u8| libm::exp2(f64::from(grade)) - 1.0;
    let discounted = |gains: &mut dyn Iterator<Item = f64>| -> f64 {
        gains.take(depth).enumerate().map(|(rank, gain)| gain / libm::log2(rank as f64 + 2.0)).sum()
    };
    let mut by_label: Vec<(Option<Grade>, f64)> =
        labels.iter().zip(grades).map(|(label, grade)| (*label, gain(*grade))).collect();
    by_label.sort_by_key(|(label, _)| std::cmp::Reverse(*label));
    let tied = by_label.chunk_by(|a, b| a.0 == b.0);
    let mut expected = tied.flat_map(|tied| {
        let mean = tied.iter().map(|(_, gain)| gain).sum::<f64>() / tied.len() as f64;
        std::iter::repeat_n(mean, tied.len())
    });
    let found = discounted(&mut expected);
    by_label.sort_by(|a, b| b.1.total_cmp(&a.1));
    let best = discounted(&mut by_label.iter().map(|(_, gain)| *gain));
    Some(if best == 0.0 { 1.0 } else { found / best })
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

    // The two best of three tied documents share (7 + 1 + 0) / 3; the last is known to be worth 3.
    #[test]
    fn equal_labels_share_their_gains() {
        let labels = [Some(5), Some(5), Some(0), Some(5)];
        let found = ndcg_of_labels(&labels, &[3, 1, 2, 0], 2).unwrap();
        let expected = (8.0 / 3.0) * (1.0 + 1.0 / 3f64.log2()) / (7.0 + 3.0 / 3f64.log2());
        assert!((found - expected).abs() < 1e-15);
        assert_eq!(ndcg_of_labels(&[Some(9), None, Some(7)], &[3, 0, 1], 3), Some(1.0));
        assert_eq!(ndcg_of_labels(&[None, None], &[3, 0], 2), None);
    }

    #[test]
    fn tau_compares_places_with_worth() {
        assert_eq!(tau(&[2, 1, 0].map(Item), &[0.1, 0.2, 0.3]), Some(1.0));
        assert_eq!(tau(&[0, 1, 2].map(Item), &[0.1, 0.2, 0.3]), Some(-1.0));
        assert_eq!(tau(&[Item(0)], &[0.1]), None);
    }
}
