//! A window that slides from the bottom to the top.

use llull_core::Item;

use super::sorted::Sorted;
use crate::simulate::noisy_judge::NoisyJudge;

/// Sorts windows of `window` items from the bottom of the list to its top, half a window at a time (RankGPT:
/// Sun et al., Is ChatGPT good at search?, EMNLP 2023).
///
/// A pass brings the best `window - step` items to the top, so it takes ceil(top / (window - step)) passes
/// until the top is sorted, while RankGPT makes one whatever the top is; a pass leaves out the places that
/// earlier passes have filled. Every call waits for the one before.
pub fn sliding_window(judge: &NoisyJudge, items: usize, window: usize, top: usize) -> Sorted {
    let window = window.max(2);
    let step = (window / 2).max(1);
    let mut order: Vec<Item> = Item::first(items).collect();
    let mut calls = 0;
    let mut filled = 0;
    // The last item is in its place if all others are.
    while filled < top.min(items.saturating_sub(1)) {
        let mut end = items;
        loop {
            let start = end.saturating_sub(window).max(filled);
            let Some(shown) = order.get_mut(start..end) else { break };
            // A window that a later pass shows again is a new question.
            let answer = judge.answer(shown, calls as u32);
            calls += 1;
            // Stable: items that the judge ties stay as they were.
            shown.sort_by_key(|item| answer.groups.iter().position(|group| group.contains(item)));
            if start == filled {
                filled += if end == items { shown.len() } else { window - step };
                break;
            }
            end -= step;
        }
    }
    Sorted { calls, waves: calls, order }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(items: usize, window: usize, top: usize) -> u64 {
        sliding_window(&NoisyJudge::new((0..items as u32).map(f64::from).collect(), 1), items, window, top)
            .calls
    }

    #[test]
    fn a_pass_is_as_long_as_published() {
        // RankGPT: 100 documents in windows of 20 by steps of 10 are 9 calls
        assert_eq!(calls(100, 20, 10), 9);
        // two passes: 19 windows of the list, 18 of the 95 below the first five
        assert_eq!(calls(100, 10, 10), 37);
        assert_eq!(calls(8, 10, 3), 1);
        assert_eq!(calls(1, 10, 1), 0);
    }

    #[test]
    fn ties_leave_the_order_as_it_was() {
        let judge =
            NoisyJudge { margin: f64::INFINITY, ..NoisyJudge::new((0..30).map(f64::from).collect(), 1) };
        assert_eq!(sliding_window(&judge, 30, 10, 10).order, Item::first(30).collect::<Vec<_>>());
    }

    #[test]
    fn a_window_of_two_is_bubble_sort() {
        assert_eq!(calls(10, 2, 3), 9 + 8 + 7);
        assert_eq!(calls(10, 2, 10), 45);
    }
}
