//! The questions so far, with counts and the use of their answers.

use super::votes::Pair;
use llull_core::Item;
use rustc_hash::FxHashMap;

/// An item is given up after this many questions in a row without new information about it. Meanwhile its questions
/// become smaller (see [`History::limit`]), so that a document about which no model answers does not take its
/// neighbours with it.
pub(crate) const GIVE_UP: u32 = 4;

/// The information in the answers to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// No usable ballot.
    Missing,
    /// Ballots without information about a pair that was not judged before.
    Idle,
    /// Ballots about a new pair, or about a batch whose pairs had all been judged before.
    Useful,
}

/// The questions so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct History {
    rounds: FxHashMap<Box<[Item]>, u32>,
    pairs: FxHashMap<Pair, u32>,
    fruitless: Vec<u32>,
    pub(crate) calls: u64,
    pub(crate) waves: u64,
    pub(crate) unanswered: u64,
    /// Whether a wave was proposed and nothing of it was observed yet.
    pub(crate) proposed: bool,
    /// Whether the wave compares leaders again.
    pub(crate) of_leaders: bool,
    /// The number of answered questions that compared leaders again.
    pub(crate) leader_calls: usize,
    /// Whether no question was left.
    pub(crate) stopped: bool,
}

impl History {
    pub(crate) fn new(items: usize) -> Self {
        Self { fruitless: vec![0; items], ..Self::default() }
    }

    pub(crate) fn grow(&mut self, items: usize) {
        self.fruitless.resize(items, 0);
        (self.leader_calls, self.stopped) = (0, false);
    }

    /// Returns the number of questions about a set, in ascending order.
    pub(crate) fn round(&self, items: &[Item]) -> u32 {
        self.rounds.get(items).copied().unwrap_or(0)
    }

    /// Counts a question about items, in ascending order, and the information in its answers.
    pub(crate) fn count(&mut self, items: &[Item], answer: Answer) {
        *self.rounds.entry(items.into()).or_default() += 1;
        for (at, &low) in items.iter().enumerate() {
            for &high in &items[at + 1..] {
                *self.pairs.entry((low, high)).or_default() += 1;
            }
        }
        self.calls += 1;
        self.unanswered += u64::from(answer == Answer::Missing);
        self.leader_calls += usize::from(self.of_leaders && answer != Answer::Missing);
        self.waves += u64::from(std::mem::take(&mut self.proposed));
        for &item in items {
            if let Some(count) = self.fruitless.get_mut(item.index()) {
                *count = if answer == Answer::Useful { 0 } else { *count + 1 };
            }
        }
    }

    /// Returns how many questions showed both items of a pair, in ascending order.
    pub(crate) fn times(&self, pair: Pair) -> u32 {
        self.pairs.get(&pair).copied().unwrap_or(0)
    }

    pub(crate) fn is_given_up(&self, item: Item) -> bool {
        self.fruitless.get(item.index()).is_some_and(|&count| count >= GIVE_UP)
    }

    /// Returns how many items a question may show that shows all of these.
    pub(crate) fn limit_of_all(&self, items: &[Item], window: usize) -> usize {
        items.iter().map(|&item| self.limit(item, window)).min().unwrap_or(0)
    }

    /// Returns how many items a question may show that shows this one: the whole window, the whole window
    /// once more, half of it, then two.
    pub(crate) fn limit(&self, item: Item, window: usize) -> usize {
        match self.fruitless.get(item.index()) {
            None | Some(0 | 1) => window,
            Some(2) => window.div_ceil(2).max(2),
            Some(_) => 2,
        }
    }
}
