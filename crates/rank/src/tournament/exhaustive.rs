//! The exhaustive schedule, which makes components certain.
//!
//! It compares every pair.

use super::bits;
use super::options::Schedule;
use super::state_machine::Position;
use llull_core::Item;
use std::cmp::Reverse;

/// Returns whether every pair was judged that the schedule compares and that can be compared.
///
/// Only [`Schedule::Exhaustive`] compares all pairs. Pairs of an item that was given up cannot be compared any more.
pub(crate) fn is_covered(position: &Position<'_>) -> bool {
    let Position { options, votes, history, .. } = *position;
    if options.schedule != Schedule::Exhaustive {
        return true;
    }
    let mut askable = vec![0; votes.items().div_ceil(64)];
    (0..votes.items())
        .filter(|&item| !history.is_given_up(Item::at(item)))
        .for_each(|item| bits::insert(&mut askable, item));
    let others = bits::count(&askable).saturating_sub(1);
    (0..votes.items())
        .filter(|&item| bits::contains(&askable, item))
        .all(|item| bits::count_both(&askable, votes.judged.row(item)) == others)
}

/// Returns with how many items this one was never judged.
fn unjudged(position: &Position<'_>, item: Item) -> usize {
    position.votes.items() - 1 - bits::count(position.votes.judged.row(item.index()))
}

/// Returns at most `most` disjoint sets of items that hold pairs never judged.
///
/// Every set after the first must hold at least half as many such pairs as the first does: the rest of this wave makes
/// fuller questions in the next one.
pub(crate) fn wave(position: &Position<'_>, most: usize) -> Vec<Vec<Item>> {
    if is_covered(position) {
        return Vec::new();
    }
    let mut left: Vec<Item> =
        Item::first(position.votes.items()).filter(|&item| !position.history.is_given_up(item)).collect();
    let (mut wave, mut first) = (Vec::new(), 0);
    while wave.len() < most {
        let Some(&seed) = left.iter().max_by_key(|&&item| (unjudged(position, item), Reverse(item))) else {
            break;
        };
        let mut batch = vec![seed];
        let pairs = fill(position, &mut batch, &left);
        if pairs * 2 < first {
            break;
        }
        if pairs == 0 {
            // All its pairs are with items that were given up.
            left.retain(|&item| item != seed);
            continue;
        }
        first = first.max(pairs);
        left.retain(|item| !batch.contains(item));
        wave.push(batch);
    }
    wave
}

/// Fills a question with the items of `left` that add most pairs never judged to it. Returns how many pairs
/// were added.
pub(crate) fn fill(position: &Position<'_>, batch: &mut Vec<Item>, left: &[Item]) -> usize {
    let Position { options, votes, history, .. } = *position;
    let is_new = |one: Item, other: Item| !votes.judged.get(one.index(), other.index());
    let mut limit = history.limit_of_all(batch, options.window);
    let mut candidates: Vec<(Item, usize)> = left
        .iter()
        .filter(|item| !batch.contains(item))
        .map(|&item| (item, batch.iter().filter(|&&other| is_new(item, other)).count()))
        .collect();
    let mut pairs = 0;
    while batch.len() < limit {
        let fitting = candidates
            .iter()
            .enumerate()
            .filter(|(_, (item, gain))| *gain > 0 && batch.len() < history.limit(*item, options.window));
        // Among those that add the same number, the one with most pairs to come, then the best by the prior
        // order.
        let best = fitting.max_by_key(|(_, (item, gain))| (*gain, unjudged(position, *item), Reverse(*item)));
        let Some((at, _)) = best else { break };
        let (item, gain) = candidates.swap_remove(at);
        limit = limit.min(history.limit(item, options.window));
        batch.push(item);
        pairs += gain;
        for (other, gain) in &mut candidates {
            *gain += usize::from(is_new(item, *other));
        }
    }
    pairs
}
