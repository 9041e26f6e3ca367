//! A cycle is asked about again before it is believed.

use super::bits;
use super::schedule::Position;
use super::standing::Component;
use super::strength;
use super::votes::Votes;
use std::cmp::Reverse;

/// Whether contradictory votes hold a component together, and not ties alone: some pair of it has a leader, or votes for
/// both sides that cancel out.
pub(crate) fn is_cyclic(component: &Component, votes: &Votes) -> bool {
    let set = component.set(votes.items());
    component.items.len() > 1
        && component.items.iter().any(|&item| {
            let (beats, beaten) = (votes.beats.row(item as usize), votes.beaten.row(item as usize));
            let led =
                set.iter().zip(beats).zip(beaten).any(|((set, beats), beaten)| set & beats & !beaten != 0);
            led || bits::members_both(&set, votes.judged.row(item as usize))
                .any(|other| votes.between(item, other as u32).is_split())
        })
}

/// Disjoint sets of items to ask about again, from the best component down; at most `most`.
pub(crate) fn wave(position: &Position<'_>, most: usize) -> Vec<Vec<u32>> {
    let doubted: Vec<&Component> = position
        .standing
        .components
        .iter()
        .filter(|component| is_doubted(position, component))
        .take(most)
        .collect();
    if doubted.is_empty() {
        return Vec::new();
    }
    let strengths = strength::strengths(position.votes, strength::ROUGH);
    doubted.into_iter().map(|component| weakest(position, component, &strengths)).collect()
}

/// Whether a component that may be among the top is a cycle of which some pair may still be asked about again.
pub(crate) fn is_doubted(position: &Position<'_>, component: &Component) -> bool {
    component.items.len() > 1
        && component.above < position.options.top
        && position.options.rejudge > 0
        && pairs(position, component).next().is_some()
        && is_cyclic(component, position.votes)
}

/// Judged pairs of a component that may be asked about again.
fn pairs<'a>(position: &Position<'a>, component: &'a Component) -> impl Iterator<Item = (u32, u32)> + 'a {
    let Position { options, votes, asked, .. } = *position;
    let set = component.set(votes.items());
    component.items.iter().filter(|&&item| !asked.is_given_up(item)).flat_map(move |&low| {
        let others: Vec<usize> = bits::members_both(&set, votes.judged.row(low as usize)).collect();
        others
            .into_iter()
            .map(move |high| (low, high as u32))
            .filter(move |&(low, high)| low < high && !asked.is_given_up(high))
            .filter(move |&pair| asked.times(pair) <= options.rejudge)
    })
}

/// The items of the pairs with the weakest support, as many as one question shows. Of pairs with equal support the better
/// rated first: the top is what was asked for.
fn weakest(position: &Position<'_>, component: &Component, strengths: &[f64]) -> Vec<u32> {
    let Position { options, votes, asked, .. } = *position;
    let mut pairs: Vec<(i64, (u32, u32))> = pairs(position, component)
        .map(|(low, high)| {
            let tally = votes.between(low, high);
            ((tally.low - tally.high).abs(), (low, high))
        })
        .collect();
    let rating = |(low, high): (u32, u32)| strengths[low as usize] * strengths[high as usize];
    pairs.sort_by(|a, b| {
        a.0.cmp(&b.0).then(rating(b.1).total_cmp(&rating(a.1))).then(Reverse(b.1).cmp(&Reverse(a.1)))
    });
    let mut batch: Vec<u32> = Vec::new();
    let mut limit = options.window;
    for (_, (low, high)) in pairs {
        let new: Vec<u32> = [low, high].into_iter().filter(|item| !batch.contains(item)).collect();
        let narrower = new.iter().map(|&item| asked.limit(item, options.window)).fold(limit, usize::min);
        if batch.len() + new.len() <= narrower {
            limit = narrower;
            batch.extend(new);
        }
    }
    batch
}
