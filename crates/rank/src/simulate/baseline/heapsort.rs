//! A heapsort whose nodes are compared with all children at once.

use llull_core::Item;

use super::sorted::Sorted;
use crate::simulate::noisy_judge::NoisyJudge;

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
