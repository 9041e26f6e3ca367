//! A baseline that grades every document by itself.

use llull_core::{Grade, Item};

use super::sorted::Sorted;
use crate::simulate::noisy_judge::NoisyJudge;

/// The highest grade of the scale.
const HIGHEST: f64 = 3.0;

/// Grades each item from 0 to 3, with `items` calls that can all be made at the same time, and orders by grade. The
/// grade is the whole number nearest to the worth that the judge sees. Items with equal grades are in the prior order.
pub fn graded(judge: &NoisyJudge, items: usize) -> Sorted {
    let mut order: Vec<(Item, Grade)> = Item::first(items).map(|item| (item, grade(judge, item))).collect();
    order.sort_by_key(|(_, grade)| std::cmp::Reverse(*grade));
    let calls = order.len() as u64;
    Sorted { calls, waves: calls.min(1), order: order.into_iter().map(|(item, _)| item).collect() }
}

/// The grade that it gives an item.
pub(in crate::simulate) fn grade(judge: &NoisyJudge, item: Item) -> Grade {
    judge.sees(item).round().clamp(0.0, HIGHEST) as Grade
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_grades_leave_the_prior_order() {
        let found = graded(&NoisyJudge::new(vec![0.4, 2.6, -0.2, 3.9, 1.2], 1), 5);
        assert_eq!((found.calls, found.waves), (5, 1));
        assert_eq!(found.order, [1, 3, 4, 0, 2].map(Item));
    }

    #[test]
    fn a_noisy_grade_is_drawn_for_each_item() {
        let noisy = |seed| NoisyJudge { noise: 1.0, ..NoisyJudge::new(vec![1.5; 40], seed) };
        let (first, second) = (graded(&noisy(1), 40), graded(&noisy(2), 40));
        assert_eq!(first, graded(&noisy(1), 40));
        assert_ne!(first.order, second.order);
    }
}
