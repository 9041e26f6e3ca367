//! Checks whether a likelihood has a maximum.

use llull_core::Item;

use super::components::Components;
use super::error::RatingError;
use super::model::Model;
use super::pair_votes::PairVotes;

/// Checks that the likelihood has a maximum.
///
/// It has one if every item of each component is beaten, through a chain of defeats or ties, by every other:
/// Ford, Solution of a ranking problem from binary comparisons, American Mathematical Monthly 64(8), 1957;
/// Hunter, MM algorithms for generalized Bradley-Terry models, Annals of Statistics 32(1), 2004, for ties and
/// Plackett-Luce.
///
/// # Errors
/// Returns [`RatingError::NoMaximum`] with the unbeaten items of the first component without a maximum.
pub(super) fn need_maximum(
    pairs: &PairVotes,
    components: &Components,
    model: Model,
) -> Result<(), RatingError> {
    let count = pairs.rated.len();
    let (mut beaten_by, mut beats) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    for pair in &pairs.pairs {
        let mut edge = |winner: usize, loser: usize| {
            beats[winner].push(loser);
            beaten_by[loser].push(winner);
        };
        if pair.first_wins + pair.ties > 0.0 {
            edge(pair.first, pair.second);
        }
        if pair.second_wins + pair.ties > 0.0 {
            edge(pair.second, pair.first);
        }
    }
    for members in &components.members {
        // The last item that the search leaves is in a set of items that beat one another and that no item
        // outside beats.
        let Some(&top) = last_left(members, &beats).last() else { continue };
        let unbeaten = reached(top, &beaten_by);
        if unbeaten.len() < members.len() {
            let mut unbeaten: Vec<Item> = unbeaten.iter().map(|&at| pairs.rated[at]).collect();
            unbeaten.sort_unstable();
            return Err(RatingError::NoMaximum { model, unbeaten, component: members.len() });
        }
    }
    Ok(())
}

/// Returns the members in the order in which depth-first search leaves them.
fn last_left(members: &[usize], next: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; next.len()];
    let mut left = Vec::with_capacity(members.len());
    for &start in members {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let mut path = vec![(start, 0)];
        while let Some((item, at)) = path.last_mut() {
            match next[*item].get(*at) {
                Some(&other) => {
                    *at += 1;
                    if !std::mem::replace(&mut seen[other], true) {
                        path.push((other, 0));
                    }
                }
                None => {
                    left.push(*item);
                    path.pop();
                }
            }
        }
    }
    left
}

/// Returns everything that can be reached from an item, including the item.
fn reached(from: usize, next: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; next.len()];
    seen[from] = true;
    let mut found = vec![from];
    let mut at = 0;
    while let Some(&item) = found.get(at) {
        at += 1;
        for &other in &next[item] {
            if !std::mem::replace(&mut seen[other], true) {
                found.push(other);
            }
        }
    }
    found
}
