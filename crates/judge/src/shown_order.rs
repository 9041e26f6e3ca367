//! The order in which documents are shown together.

use llull_core::{Seed, SplitMix64};

/// Returns the order in which to show the documents `ids` of a query when a judge sees them together for the
/// `ask`th time, from 0: positions in `ids`, each once.
///
/// Judges favour places, the first above all, so the order is random: Fisher and Yates's shuffle over a stream of
/// its own for each query, set and pair of asks. It depends on the set, not on the order of `ids` or on the rest
/// of the pool: the same set is shown alike in every run of a study, and its answer is found in the ledger.
///
/// Asks come in pairs. The second of a pair, 1, 3, 5 and so on, is the reverse of the first, so that over both
/// asks each of two documents stands once before the other; for two documents it is the swap of a double check. To
/// ask about both orders, use asks 2r and 2r + 1 in round r. To ask about one, use ask r in round r; then the
/// first repetition of a set reverses it. Two documents have only two orders, which later pairs of asks repeat: to
/// get new answers rather than those of the ledger, ask them as sample `ask / 2`.
///
/// ```
/// use llull_core::Seed;
/// use llull_judge::shown_order;
///
/// let ids = ["d7", "d2", "d9", "d4"];
/// let first = shown_order(Seed(1), "q1", &ids, 0);
/// let second = shown_order(Seed(1), "q1", &ids, 1);
/// assert!(first.iter().eq(second.iter().rev()));
/// assert_ne!(first, shown_order(Seed(1), "q2", &ids, 0));
/// ```
pub fn shown_order(seed: Seed, topic: &str, ids: &[&str], ask: u32) -> Vec<usize> {
    let mut order: Vec<_> = (0..ids.len()).collect();
    order.sort_by_key(|at| ids.get(*at).copied());
    // With lengths, no two sets give the same text.
    let mut purpose = format!("shown order {} {}:{topic}", ask / 2, topic.len());
    for id in order.iter().filter_map(|at| ids.get(*at)) {
        purpose.push_str(&format!(" {}:{id}", id.len()));
    }
    shuffle(&mut order, seed.stream(&purpose));
    if ask % 2 == 1 {
        order.reverse();
    }
    order
}

/// Shuffles items by the method of Fisher and Yates over the stream of [`SplitMix64`]. One seed and number of items
/// always give the same order.
pub(crate) fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut stream = SplitMix64::new(seed);
    for last in (1..items.len()).rev() {
        // The remainder favours small numbers by less than one in 2^48 for the 65,536 documents that a verdict can
        // tell apart.
        let other = stream.next_u64() % (last as u64 + 1);
        items.swap(last, other as usize);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn shown<'a>(seed: u64, topic: &str, ids: &[&'a str], ask: u32) -> Vec<&'a str> {
        shown_order(Seed(seed), topic, ids, ask).into_iter().map(|at| ids[at]).collect()
    }

    #[test]
    fn two_documents_are_swapped_and_both_sides_come_first_alike() {
        let mut left = 0;
        for topic in 0..1_000 {
            let topic = topic.to_string();
            let [first, second] = [0, 1].map(|ask| shown(3, &topic, &["a", "b"], ask));
            assert_eq!([first[0], first[1]], [second[1], second[0]]);
            left += usize::from(first[0] == "a");
        }
        assert!((440..560).contains(&left), "{left} of 1,000"); // 500 +- 3.8 standard deviations of 15.8
    }

    #[test]
    fn every_order_comes_up() {
        let orders: BTreeSet<_> = (0..400).map(|seed| shown(seed, "q", &["a", "b", "c", "d"], 0)).collect();
        assert_eq!(orders.len(), 24);
        let asks: BTreeSet<_> =
            (0..40).map(|ask| shown(1, "q", &["a", "b", "c", "d", "e", "f"], ask)).collect();
        assert!(asks.len() > 35, "{} different orders of 40", asks.len());
    }

    #[test]
    fn sets_do_not_run_into_each_other() {
        let seeds = |sets: &[&[&str]]| {
            sets.iter().map(|ids| shown_order(Seed(1), "q", ids, 0)).collect::<BTreeSet<_>>().len()
        };
        let long: Vec<String> = (0..40).map(|n| format!("d{n}")).collect();
        let ids: Vec<&str> = long.iter().map(String::as_str).collect();
        let mut other = ids.clone();
        other[39] = "d3 9";
        assert_eq!(seeds(&[&ids, &other]), 2);
    }

    proptest! {
        #[test]
        fn the_set_decides_and_not_how_it_is_listed(
            ids in prop::collection::btree_set("[a-z0-9 ]{0,6}", 0..9), turn in 0usize..9, seed: u64, ask in 0u32..8,
        ) {
            let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
            let mut turned = ids.clone();
            turned.rotate_left(turn.min(ids.len()));
            let (one, other) = (shown(seed, "q", &ids, ask), shown(seed, "q", &turned, ask));
            prop_assert_eq!(&one, &other);
            prop_assert_eq!(one.iter().collect::<BTreeSet<_>>(), ids.iter().collect::<BTreeSet<_>>());
            prop_assert!(one.iter().rev().eq(&shown(seed, "q", &ids, ask ^ 1)));
        }
    }
}
