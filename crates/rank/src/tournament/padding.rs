//! Fills the room that is left in a question.

use super::exhaustive;
use super::options::Schedule;
use super::position::Position;
use super::strength;
use llull_core::Item;

/// Fills each batch up to the window with the best rated items that are in no batch. So each answer also checks, where
/// it matters most, pairs that are only inferred or have one vote.
///
/// This costs no call and changes nothing for a judge that never contradicts itself. For one that does, simulated
/// nDCG@10 at equal calls rose from .918 to .926, and from .947 to .963 with repeated cycles.
///
/// Under the exhaustive schedule, a batch is filled with the items that add most new pairs. Batches about items that
/// have brought no answer so far stay small.
pub(crate) fn pad(position: &Position<'_>, wave: &mut [Vec<Item>]) {
    let Position { options, votes, history, .. } = *position;
    if wave.iter().all(|batch| batch.len() >= options.window) {
        return;
    }
    if options.schedule == Schedule::Exhaustive {
        cover_more(position, wave);
        return;
    }
    let strengths = strength::strengths(votes, strength::ROUGH);
    let mut spare: Vec<Item> = Item::first(votes.items()).collect();
    spare.retain(|&item| {
        history.limit(item, options.window) == options.window
            && wave.iter().all(|batch| !batch.contains(&item))
    });
    spare.sort_by(|&a, &b| strengths[b.index()].total_cmp(&strengths[a.index()]).then(a.cmp(&b)));
    let mut spare = spare.into_iter();
    for batch in wave {
        let limit = history.limit_of_all(batch, options.window);
        batch.extend(spare.by_ref().take(limit.saturating_sub(batch.len())));
    }
}

fn cover_more(position: &Position<'_>, wave: &mut [Vec<Item>]) {
    let mut spare: Vec<Item> = Item::first(position.votes.items()).collect();
    spare.retain(|&item| {
        !position.history.is_given_up(item) && wave.iter().all(|batch| !batch.contains(&item))
    });
    for batch in wave {
        exhaustive::fill(position, batch, &spare);
        spare.retain(|item| !batch.contains(item));
    }
}
