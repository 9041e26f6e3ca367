//! The ballots of a tournament, as its ratings read them.

use std::cmp::Ordering;

use llull_core::{Ballot, Item};
use rustc_hash::FxHashSet;

/// Returns the part of a ballot that votes: the known items, each once. `None` if its weight does not count, or if it
/// compares nothing.
pub(crate) fn valid_ballot(items: usize, ballot: &Ballot) -> Option<Ballot> {
    if !(ballot.weight.is_finite() && ballot.weight > 0.0) {
        return None;
    }
    let mut seen = FxHashSet::default();
    let mut valid = |group: &Vec<Item>| -> Vec<Item> {
        group.iter().copied().filter(|item| item.index() < items && seen.insert(*item)).collect()
    };
    let groups: Vec<Vec<Item>> =
        ballot.groups.iter().map(&mut valid).filter(|group| !group.is_empty()).collect();
    let rest = valid(&ballot.rest);
    let compares = groups.len() + usize::from(!rest.is_empty()) > 1 || groups.iter().any(|it| it.len() > 1);
    compares.then_some(Ballot { groups, rest, ..*ballot })
}

/// Returns the valid ballots in order.
pub(crate) fn valid_ballots(items: usize, ballots: &[Ballot]) -> Vec<Ballot> {
    let mut valid: Vec<Ballot> = ballots.iter().filter_map(|ballot| valid_ballot(items, ballot)).collect();
    valid.sort_by(in_order);
    valid
}

/// An order of ballots that does not depend on their arrival, so that sums over them have the same last digits.
pub(crate) fn in_order(one: &Ballot, other: &Ballot) -> Ordering {
    (&one.groups, &one.rest, one.judge)
        .cmp(&(&other.groups, &other.rest, other.judge))
        .then(one.weight.total_cmp(&other.weight))
}
