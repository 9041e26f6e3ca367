//! The schedulers that a tournament is compared with, as they were published; one a file.

mod heapsort;
mod pairwise;
mod window;

use llull_core::Item;

pub use heapsort::heapsort;
pub use pairwise::all_pairs;
pub use window::sliding_window;

/// What a scheduler found and what it took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sorted {
    /// How many questions it asked.
    pub calls: u64,
    /// In how many steps, each of which needs the answers of the last.
    pub waves: u64,
    /// All items, best first.
    pub order: Vec<Item>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::{NoisyJudge, Prior, SimulatedPool};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_perfect_judge_gives_the_true_top(documents in 1..60_usize, window in 2..12_usize, top in 1..60_usize, seed: u64) {
            let pool = SimulatedPool::new(documents, Prior::Random, seed);
            let truth = pool.true_order();
            let judge = NoisyJudge::new(pool.worth, seed);
            let top = top.min(documents);
            for (name, found) in [
                ("all pairs", all_pairs(&judge, documents)),
                ("sliding window", sliding_window(&judge, documents, window, top)),
                ("heapsort", heapsort(&judge, documents, window, top)),
            ] {
                prop_assert_eq!(&found.order[..top], &truth[..top], "{}", name);
                let mut items = found.order.clone();
                items.sort_unstable();
                prop_assert_eq!(items, Item::first(documents).collect::<Vec<_>>(), "{}", name);
                prop_assert!(found.waves <= found.calls);
            }
        }
    }
}
