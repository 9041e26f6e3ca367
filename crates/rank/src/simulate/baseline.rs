//! Published schedulers to compare a tournament with.

use llull_core::{Grade, Item};

use crate::simulate::noisy_judge::NoisyJudge;

/// The order of a scheduler, and its calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sorted {
    /// The number of questions.
    pub calls: u64,
    /// The number of steps, each of which needs the answers of the step before.
    pub waves: u64,
    /// All items, best first.
    pub order: Vec<Item>,
}

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

/// Builds a heap and takes the best item from it `top` times (Zhuang et al., A setwise approach for effective
/// and highly efficient zero-shot ranking with large language models, SIGIR 2024). A node has `window - 1`
/// children and one call finds the best of them all; with a window of 2 the heap is binary and takes two
/// calls for each node (their pairwise heapsort). Every call waits for the one before. Items that are not
/// taken follow in the order of the heap.
pub fn heapsort(judge: &NoisyJudge, items: usize, window: usize, top: usize) -> Sorted {
    let window = window.max(2);
    let mut heap =
        Heap { judge, window, children: (window - 1).max(2), items: Item::first(items).collect(), calls: 0 };
    for node in (0..items.div_ceil(heap.children)).rev() {
        heap.sift(node);
    }
    let mut order = Vec::with_capacity(items);
    while order.len() < top && !heap.items.is_empty() {
        order.push(heap.items.swap_remove(0));
        if order.len() < top {
            heap.sift(0);
        }
    }
    order.append(&mut heap.items);
    Sorted { calls: heap.calls, waves: heap.calls, order }
}

struct Heap<'a> {
    judge: &'a NoisyJudge,
    window: usize,
    children: usize,
    items: Vec<Item>,
    calls: u64,
}

impl Heap<'_> {
    /// Moves the item at a node down until none of its children is better.
    fn sift(&mut self, mut node: usize) {
        loop {
            let first = node * self.children + 1;
            let last = (first + self.children).min(self.items.len());
            let best = self.best(node, first..last);
            if best == node {
                return;
            }
            self.items.swap(node, best);
            node = best;
        }
    }

    /// Returns the place of the best of a node and its children; the first of them if they tie.
    fn best(&mut self, node: usize, children: std::ops::Range<usize>) -> usize {
        let mut best = node;
        let mut children = children.peekable();
        while children.peek().is_some() {
            let places: Vec<usize> =
                [best].into_iter().chain(children.by_ref().take(self.window - 1)).collect();
            let shown: Vec<Item> =
                places.iter().filter_map(|&place| self.items.get(place).copied()).collect();
            // Every call is a new question, so that a repeated question is not answered alike.
            let answer = self.judge.answer(&shown, self.calls as u32);
            self.calls += 1;
            let winners = answer.groups.first().map_or(&[][..], Vec::as_slice);
            best = places
                .iter()
                .zip(&shown)
                .find(|(_, item)| winners.contains(item))
                .map_or(best, |(&place, _)| place);
        }
        best
    }
}

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

    #[test]
    fn ties_leave_things_where_they_are() {
        let judge =
            NoisyJudge { margin: f64::INFINITY, ..NoisyJudge::new((0..13).map(f64::from).collect(), 1) };
        let found = heapsort(&judge, 13, 4, 1);
        assert_eq!(found.order[0], Item(0));
        assert_eq!(found.calls, 4, "one for each node with children");
    }

    #[test]
    fn a_window_of_two_takes_two_calls_a_node() {
        let judge = NoisyJudge::new((0..3).rev().map(f64::from).collect(), 1);
        assert_eq!(heapsort(&judge, 3, 2, 1).calls, 2);
        assert_eq!(heapsort(&judge, 3, 2, 3).calls, 3, "the two that are left once more");
        assert_eq!(heapsort(&judge, 1, 2, 1).calls, 0);
    }

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
