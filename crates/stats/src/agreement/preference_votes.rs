//! A judge's answers about pairs, and the verdicts from them.

use std::cmp::Ordering;

use serde::Serialize;

/// An answer about a pair. First and second are the items of the pair in an order that its author chose, not the places
/// in which they were shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// The pair's first item is better.
    First,
    /// The pair's second item is better.
    Second,
    /// Neither is better: a tie, or "not sure".
    Neither,
}

/// The choice between two items in an order, best first.
impl From<Ordering> for Choice {
    fn from(order: Ordering) -> Self {
        match order {
            Ordering::Less => Self::First,
            Ordering::Equal => Self::Neither,
            Ordering::Greater => Self::Second,
        }
    }
}

impl Choice {
    pub(super) fn is_decided(self) -> bool {
        self != Self::Neither
    }

    /// The category in a table of agreement.
    pub(super) fn category(self) -> i32 {
        match self {
            Self::First => 1,
            Self::Second => 2,
            Self::Neither => 0,
        }
    }
}

/// A judge's answers about one pair, shown in one order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Votes {
    /// The number of answers for the pair's first item.
    pub first: u32,
    /// The number of answers for its second item.
    pub second: u32,
    /// The number of answers for neither.
    pub neither: u32,
    /// The number of calls without a readable answer.
    pub unusable: u32,
}

impl Votes {
    /// Counts one call with its answer; `None` if the answer could not be read.
    pub fn add(&mut self, answer: Option<Choice>) {
        match answer {
            Some(Choice::First) => self.first += 1,
            Some(Choice::Second) => self.second += 1,
            Some(Choice::Neither) => self.neither += 1,
            None => self.unusable += 1,
        }
    }

    /// Returns the item with the most answers, or neither if they are equal; `None` without an answer.
    pub fn verdict(&self) -> Option<Choice> {
        match self.first.cmp(&self.second) {
            std::cmp::Ordering::Greater => Some(Choice::First),
            std::cmp::Ordering::Less => Some(Choice::Second),
            std::cmp::Ordering::Equal => (self.first + self.neither > 0).then_some(Choice::Neither),
        }
    }

    /// Returns the number of calls.
    pub fn calls(&self) -> u64 {
        [self.first, self.second, self.neither, self.unusable].map(u64::from).iter().sum()
    }
}

/// A pair of the reference with a judge's answers about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JudgedPair {
    /// The choice of the reference; `Neither` if it has the two tied, so that nothing can be right or wrong.
    pub truth: Choice,
    /// The answers to the pair as it is, with its first item on the left.
    pub shown: Votes,
    /// The answers to the pair with the two exchanged, with its first item on the right.
    pub swapped: Votes,
}

impl JudgedPair {
    /// Creates a pair with this truth and no answers yet.
    pub fn new(truth: Choice) -> Self {
        Self { truth, shown: Votes::default(), swapped: Votes::default() }
    }

    pub(super) fn asked_both_ways(&self) -> bool {
        self.shown.calls() > 0 && self.swapped.calls() > 0
    }

    /// The verdict of both orders: an item if both chose it, else neither. `None` if either order has no answer,
    /// because then nothing was checked.
    pub(super) fn double_checked(&self) -> Option<Choice> {
        let (shown, swapped) = (self.shown.verdict()?, self.swapped.verdict()?);
        Some(if shown == swapped { shown } else { Choice::Neither })
    }
}
