//! Chooses the next questions about unknown pairs.

use super::components::Component;
use super::options::Schedule;
use super::state_machine::Position;
use llull_core::Item;

/// An unresolved component that may be among the top, with the item that represents it.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    component: usize,
    item: Item,
}

/// From this window on, candidates with equal in-reach are ordered by how much is known about them; see
/// [`candidates`].
const WIDE: usize = 5;

/// Returns at most `most` disjoint sets of items, best first, each with a pair about which nothing is known.
pub(crate) fn wave(position: &Position<'_>, most: usize) -> Vec<Vec<Item>> {
    let mut left = candidates(position);
    let mut wave: Vec<Vec<Candidate>> = Vec::new();
    while wave.len() < most {
        let batch = fill(position, &left);
        let batch = if wave.is_empty() {
            batch.or_else(|| rescue(position, &left))
        } else {
            batch.filter(|batch| is_worthwhile(position, batch))
        };
        let Some(batch) = batch else { break };
        left.retain(|candidate| batch.iter().all(|taken| taken.component != candidate.component));
        wave.push(batch);
    }
    wave.into_iter().map(|batch| batch.into_iter().map(|candidate| candidate.item).collect()).collect()
}

/// Returns the unresolved components by ascending in-reach. A component with an in-reach of `top` or more is
/// certainly not among the top and needs no question of its own.
///
/// Among components of equal in-reach, BlitzRank takes the lower out-reach first, then the prior order. Among
/// components that nothing is known to be above that is best: it merges components of about the same size.
/// Further down the reverse is better (100 items, window 10: the top 10 in 13.95 calls instead of 14.21, the
/// full order in 36.9 instead of 37.7), except in windows of 2 to 4, which have too little room beside the
/// best-known candidates to gain from it.
fn candidates(position: &Position<'_>) -> Vec<Candidate> {
    let Position { options, condensation, history, .. } = *position;
    let (components, items) = (&condensation.components, condensation.place.len());
    let mut candidates: Vec<Candidate> = components
        .iter()
        .enumerate()
        .filter(|(_, component)| !component.resolved && component.above < options.top)
        .filter_map(|(at, component)| {
            let item = component.items.iter().copied().find(|&item| !history.is_given_up(item))?;
            Some(Candidate { component: at, item })
        })
        .collect();
    if options.window >= WIDE {
        candidates.sort_by_key(|candidate| {
            let component = &components[candidate.component];
            let below = if component.above == 0 { component.below } else { items - component.below };
            (component.above, below, candidate.item)
        });
    }
    candidates
}

/// Returns the first candidates that fit into one question, if they hold a pair to ask about.
fn fill(position: &Position<'_>, left: &[Candidate]) -> Option<Vec<Candidate>> {
    let mut limit = position.options.window;
    let mut batch: Vec<Candidate> = Vec::with_capacity(limit);
    for &candidate in left {
        let narrower = limit.min(position.history.limit(candidate.item, position.options.window));
        if batch.len() >= limit {
            break;
        }
        if batch.len() >= narrower {
            continue;
        }
        limit = narrower;
        batch.push(candidate);
    }
    (questions(position, &batch) > 0).then_some(batch)
}

/// Returns a question about the first candidate about which something is unknown, together with the
/// components that are concerned.
fn rescue(position: &Position<'_>, left: &[Candidate]) -> Option<Vec<Candidate>> {
    let Position { options, condensation, history, votes, reach, .. } = *position;
    left.iter().find_map(|&candidate| {
        let others = (0..condensation.components.len())
            .filter(|&other| !condensation.is_known(candidate.component, other, votes, reach))
            .filter_map(|component| {
                let items = &condensation.components[component].items;
                let item = items.iter().copied().find(|&item| !history.is_given_up(item))?;
                Some(Candidate { component, item })
            });
        let mut limit = history.limit(candidate.item, options.window);
        let mut batch = vec![candidate];
        for other in others {
            let narrower = limit.min(history.limit(other.item, options.window));
            if batch.len() < narrower {
                limit = narrower;
                batch.push(other);
            }
        }
        (batch.len() > 1).then_some(batch)
    })
}

/// Returns the number of pairs of a batch about which nothing is known.
fn questions(position: &Position<'_>, batch: &[Candidate]) -> usize {
    let Position { condensation, votes, reach, .. } = *position;
    let open = |one: &Candidate, other: &Candidate| {
        !condensation.is_known(one.component, other.component, votes, reach)
    };
    batch
        .iter()
        .enumerate()
        .map(|(at, one)| batch[at + 1..].iter().filter(|other| open(one, other)).count())
        .sum()
}

/// Returns whether a batch may run together with better ones, before their answers are known. It must be at least half
/// full, and either
///
/// - nothing is known to be above any of its items, so that all but one of them will have to lose to
///   something, or
/// - the expected place of its items is near enough to the top, and enough of its pairs are open that the
///   answers to the better batches cannot make it needless.
///
/// How near and how many was chosen by simulation; the table in the [module's
/// documentation](crate::tournament) shows the consequences.
fn is_worthwhile(position: &Position<'_>, batch: &[Candidate]) -> bool {
    let Position { options, condensation, .. } = *position;
    let window = options.window;
    if batch.len() * 2 < window {
        return false;
    }
    let component = |candidate: &Candidate| &condensation.components[candidate.component];
    if batch.iter().all(|candidate| component(candidate).above == 0) {
        return true;
    }
    let (near, open) = match options.schedule {
        Schedule::Sequential | Schedule::Balanced => (1.5, 0.9),
        Schedule::Parallel | Schedule::Exhaustive => (3.0, 0.5),
    };
    let items = condensation.place.len();
    let place: f64 = batch.iter().map(|candidate| expected_place(component(candidate), items)).sum();
    let pairs = (window * (window - 1) / 2) as f64;
    place / batch.len() as f64 <= near * options.top.min(items) as f64
        && questions(position, batch) as f64 >= open * pairs
}

/// Returns the place, from 1, that a component would have on average if every item with an unknown relation
/// to it were as likely above it as the known ones are (Laplace's rule of succession).
fn expected_place(component: &Component, items: usize) -> f64 {
    let (above, below) = (component.above as f64, component.below as f64);
    (above + 1.0) / (above + below + 2.0) * (items as f64 + 1.0)
}
