//! The published schedulers that a tournament is compared with.

use llull_core::Item;
use llull_rank::simulate::{NoisyJudge, SimulatedPool, SimulatedPrior, all_pairs, heapsort, sliding_window};
use proptest::prelude::*;

proptest! {
    #[test]
    fn a_perfect_judge_gives_the_true_top(documents in 1..60_usize, window in 2..12_usize, top in 1..60_usize, seed: u64) {
        let pool = SimulatedPool::new(documents, SimulatedPrior::Random, seed);
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
