//! A baseline that compares every pair once.

use llull_core::Item;

use super::sorted::Sorted;
use crate::simulate::noisy_judge::NoisyJudge;

/// Asks about every pair once, n(n-1)/2 calls that can all be made at the same time, and orders by wins, a
/// tie as half a win (PRP-Allpair: Qin et al., Large language models are effective text rankers with pairwise
/// ranking prompting, NAACL 2024; they ask in both orders, which doubles the calls). Items with equal wins
/// are in the prior order.
pub fn all_pairs(judge: &NoisyJudge, items: usize) -> Sorted {
    let mut wins = vec![0_u32; items];
    let mut calls = 0;
    for a in Item::first(items) {
        for b in Item::first(items).skip(a.index() + 1) {
            calls += 1;
            // In half wins.
            match judge.prefers(a, b) {
                std::cmp::Ordering::Greater => wins[a.index()] += 2,
                std::cmp::Ordering::Less => wins[b.index()] += 2,
                std::cmp::Ordering::Equal => {
                    wins[a.index()] += 1;
                    wins[b.index()] += 1;
                }
            }
        }
    }
    let mut order: Vec<Item> = Item::first(items).collect();
    order.sort_by_key(|&item| std::cmp::Reverse(wins[item.index()]));
    Sorted { calls, waves: calls.min(1), order }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_is_asked_once_and_all_at_the_same_time() {
        let found = all_pairs(&NoisyJudge::new((0..10).map(f64::from).collect(), 1), 10);
        assert_eq!((found.calls, found.waves), (45, 1));
        assert_eq!(found.order, Item::first(10).rev().collect::<Vec<_>>());
    }

    #[test]
    fn ties_are_half_wins_and_leave_the_prior_order() {
        let judge =
            NoisyJudge { margin: f64::INFINITY, ..NoisyJudge::new((0..10).map(f64::from).collect(), 1) };
        assert_eq!(all_pairs(&judge, 10).order, Item::first(10).collect::<Vec<_>>());
    }
}
