//! A cycle is asked about again before it is believed.

use super::bits;
use super::schedule::Position;
use super::standing::Component;
use super::votes::Votes;

/// Whether contradictory votes hold a component together, and not ties alone: some pair of it has a leader, or votes for
/// both sides that cancel out.
pub(crate) fn is_cyclic(component: &Component, votes: &Votes) -> bool {
    let items = &component.items;
    items.iter().enumerate().any(|(at, &one)| {
        items[at + 1..].iter().any(|&other| {
            let tally = votes.between(one, other);
            tally.low != tally.high || tally.is_split()
        })
    })
}

/// Disjoint sets of items to ask about again; at most `most`.
pub(crate) fn wave(position: &Position<'_>, most: usize) -> Vec<Vec<u32>> {
    let mut wave = Vec::new();
    for component in &position.standing.components {
        if wave.len() >= most || component.above >= position.options.top {
            break;
        }
        if let Some(batch) = again(position, component) {
            wave.push(batch);
        }
    }
    wave
}

/// Whether a component is a cycle of which some pair may still be asked about again.
pub(crate) fn is_doubted(position: &Position<'_>, component: &Component) -> bool {
    again(position, component).is_some()
}

/// The items of the component's weakest pairs that may be asked about again.
fn again(position: &Position<'_>, component: &Component) -> Option<Vec<u32>> {
    if position.options.rejudge == 0 || component.items.len() < 2 || !is_cyclic(component, position.votes) {
        return None;
    }
    let mut pairs: Vec<(i64, u32, u32)> = Vec::new();
    for &one in &component.items {
        for other in bits::members(position.votes.judged.row(one as usize)) {
            let other = other as u32;
            if other <= one
                || position.standing.place[other as usize] != position.standing.place[one as usize]
            {
                continue;
            }
            let fresh = !position.asked.is_given_up(one) && !position.asked.is_given_up(other);
            if fresh && position.asked.again((one, other)) < position.options.rejudge {
                let tally = position.votes.between(one, other);
                pairs.push(((tally.low - tally.high).abs(), one, other));
            }
        }
    }
    let mode: usize = std::env::var("RJ").ok().and_then(|v| v.parse().ok()).unwrap_or(0);
    let strengths = if mode > 0 { super::strength::strengths(position.votes) } else { Vec::new() };
    let mut batch: Vec<u32> = Vec::new();
    if mode == 2 || mode == 4 {
        if pairs.is_empty() { return None; }
        // the eligible items, best rated first
        let mut items: Vec<u32> = component.items.iter().copied().filter(|i| pairs.iter().any(|p| p.1 == *i || p.2 == *i)).collect();
        items.sort_by(|&a, &b| strengths[b as usize].total_cmp(&strengths[a as usize]));
        items.truncate(position.options.window);
        if !pairs.iter().any(|p| items.contains(&p.1) && items.contains(&p.2)) { items.truncate(position.options.window - 2); for i in [pairs[0].1, pairs[0].2] { if !items.contains(&i) { items.push(i); } } }
        return Some(items);
    }
    if mode == 1 { pairs.sort_by(|a, b| a.0.cmp(&b.0).then((strengths[b.1 as usize] + strengths[b.2 as usize]).total_cmp(&(strengths[a.1 as usize] + strengths[a.2 as usize])))); }
    else if mode == 3 { let gap = |p: &(i64, u32, u32)| (strengths[p.1 as usize] - strengths[p.2 as usize]).abs(); pairs.sort_by(|a, b| a.0.cmp(&b.0).then(gap(a).total_cmp(&gap(b)))); }
    else { pairs.sort_unstable(); }
    for (_, one, other) in pairs {
        let new = [one, other].into_iter().filter(|item| !batch.contains(item)).count();
        if batch.len() + new <= position.options.window {
            for item in [one, other] {
                if !batch.contains(&item) {
                    batch.push(item);
                }
            }
        }
    }
    (!batch.is_empty()).then_some(batch)
}
