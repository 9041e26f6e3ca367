//! Repeats a contradiction before it is accepted.

use super::bits;
use super::components::Component;
use super::state_machine::Position;
use super::strength;
use super::votes::{Pair, UNITS, Votes};
use llull_core::Item;

/// Returns whether contradictory votes, and not ties alone, hold a component together: some pair of it has a
/// leader, or votes for both sides that cancel out.
pub(crate) fn is_contradictory(component: &Component, votes: &Votes) -> bool {
    let set = component.set(votes.items());
    component.items.len() > 1
        && component.items.iter().any(|&item| {
            let (beats, beaten) = (votes.beats.row(item.index()), votes.beaten.row(item.index()));
            let led =
                set.iter().zip(beats).zip(beaten).any(|((set, beats), beaten)| set & beats & !beaten != 0);
            led || bits::members_both(&set, votes.judged.row(item.index()))
                .any(|other| votes.between(item, Item::at(other)).is_split())
        })
}

/// Returns at most `most` disjoint sets of items to compare again, from the best component down.
///
/// A component gives one set, and more as long as the rest of it fills half a question: their answers have little
/// influence on one another.
pub(crate) fn wave(position: &Position<'_>, most: usize) -> Vec<Vec<Item>> {
    let doubted: Vec<&Component> = position
        .condensation
        .components
        .iter()
        .filter(|component| is_doubted(position, component))
        .take(most)
        .collect();
    if doubted.is_empty() {
        return Vec::new();
    }
    let strengths = strength::strengths(position.votes, strength::ROUGH);
    let mut wave: Vec<Vec<Item>> = Vec::new();
    for component in doubted {
        let mut left = component.clone();
        while wave.len() < most {
            let batch = weakest(position, &left, &strengths);
            let first = left.items.len() == component.items.len();
            if batch.is_empty() || (!first && batch.len() * 2 < position.options.window) {
                break;
            }
            left.items.retain(|item| !batch.contains(item));
            wave.push(batch);
        }
    }
    wave
}

/// Returns whether a component may be among the top and is a contradiction with a pair that may still be repeated.
pub(crate) fn is_doubted(position: &Position<'_>, component: &Component) -> bool {
    component.items.len() > 1
        && component.above < position.options.top
        && position.options.rejudge.is_some_and(|times| times > 0)
        && pairs(position, component).next().is_some()
        && is_contradictory(component, position.votes)
}

/// Returns the judged pairs of a component that may be repeated.
fn pairs<'a>(position: &Position<'a>, component: &'a Component) -> impl Iterator<Item = Pair> + 'a {
    let Position { options, votes, history, .. } = *position;
    let set = component.set(votes.items());
    component.items.iter().filter(|&&item| !history.is_given_up(item)).flat_map(move |&low| {
        let others: Vec<usize> = bits::members_both(&set, votes.judged.row(low.index())).collect();
        others
            .into_iter()
            .map(move |high| (low, Item::at(high)))
            .filter(move |&(low, high)| low < high && !history.is_given_up(high))
            .filter(move |&pair| options.rejudge.is_some_and(|most| history.times(pair) <= most))
    })
}

/// Returns the items to ask about: those of the weakest pair (the better rated one, if several are as weak),
/// then whichever item adds most weak pairs. So one question covers as many pairs as possible, and asking
/// about a component again costs about as many calls as finding it did.
fn weakest(position: &Position<'_>, component: &Component, strengths: &[f64]) -> Vec<Item> {
    let Position { options, votes, history, condensation, .. } = *position;
    let mut rivals: Vec<Vec<(Item, f64)>> = vec![Vec::new(); condensation.place.len()];
    let mut seed: Option<((f64, f64), Item)> = None;
    for (low, high) in pairs(position, component) {
        let doubt = 1.0 / (1.0 + votes.between(low, high).margin().abs() as f64 / UNITS);
        let key = (doubt, strengths[low.index()] * strengths[high.index()]);
        if seed.is_none_or(|(best, _)| key > best) {
            seed = Some((key, low));
        }
        rivals[low.index()].push((high, doubt));
        rivals[high.index()].push((low, doubt));
    }
    let mut gain = vec![0.0; condensation.place.len()];
    let (mut batch, mut limit) = (Vec::new(), options.window);
    let mut next = seed.map(|(_, item)| item);
    while let Some(item) = next {
        batch.push(item);
        limit = limit.min(history.limit(item, options.window));
        for &(rival, doubt) in &rivals[item.index()] {
            gain[rival.index()] += doubt;
        }
        let rest = component
            .items
            .iter()
            .copied()
            .filter(|other| !batch.contains(other) && gain[other.index()] > 0.0);
        let fitting = rest.filter(|&other| batch.len() < limit.min(history.limit(other, options.window)));
        next = fitting.max_by(|&a, &b| {
            let (one, other) = (a.index(), b.index());
            gain[one]
                .total_cmp(&gain[other])
                .then(strengths[one].total_cmp(&strengths[other]))
                .then(b.cmp(&a))
        });
    }
    batch
}
