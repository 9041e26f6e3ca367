//! Compares the best items again, once votes contradict each other.
//!
//! A contradiction shows that the judge is noisy. What follows from its votes by transitivity is then as uncertain as
//! they are, and more votes on the best items help most.

use llull_core::{Ballot, Item};

use super::bits;
use super::options::Schedule;
use super::rejudge;
use super::state_machine::Position;
use crate::random::Random;
use crate::ratings::{Prior, RatingOptions, bradley_terry, posterior};

/// The tournament ends when this share of the top is expected to be right.
const CERTAIN: f64 = 0.75;

/// The most times that the leaders are compared again.
const ROUNDS: usize = 8;

/// Leaders, for each item of the top.
const LEADERS: usize = 2;

/// Draws that show how sure the top is. The standard error of a share is below .01 for a top of 10.
const DRAWS: usize = 200;

/// The standard deviation of ratings before the first vote, in log-odds of winning.
const PRIOR: f64 = 3.0;

/// Returns whether the tournament compares leaders instead of what is unknown.
pub(crate) fn are_compared(position: &Position<'_>) -> bool {
    let Position { options, condensation, votes, .. } = *position;
    options.rejudge.is_none()
        && options.schedule != Schedule::Exhaustive
        && condensation.components.iter().any(|component| rejudge::is_contradictory(component, votes))
}

/// Returns the Bradley-Terry rating of each item that has a vote: the maximum a posteriori under a normal prior, in
/// log-odds.
pub(crate) fn ratings(items: usize, ballots: &[Ballot]) -> Vec<Option<f64>> {
    let options =
        RatingOptions { prior: Prior::Normal(PRIOR), standard_errors: false, ..RatingOptions::default() };
    bradley_terry(items, ballots, &options).map_or_else(|_| vec![None; items], |found| found.scores)
}

/// Returns the next questions about leaders, at most `most`: none once the top is certain or they were compared often
/// enough. Items without a vote come first.
pub(crate) fn wave(position: &Position<'_>, most: usize) -> Vec<Vec<Item>> {
    let mut wave = deal(position, &unseen(position));
    if wave.is_empty() {
        wave = again(position);
    }
    wave.truncate(most);
    wave
}

/// Returns the items that no vote is about.
pub(crate) fn unseen(position: &Position<'_>) -> Vec<Item> {
    let Position { votes, history, .. } = *position;
    Item::first(votes.items())
        .filter(|&item| bits::count(votes.judged.row(item.index())) == 0 && !history.is_given_up(item))
        .collect()
}

/// Returns whether no more leaders are to be compared.
pub(crate) fn is_over(position: &Position<'_>) -> bool {
    let (calls, per_round) = (position.history.leader_calls, per_round(position));
    position.history.stopped
        || calls >= ROUNDS * per_round
        || (calls >= per_round && certainty(position) >= CERTAIN)
}

/// Returns the number of leaders: as many as fill their questions, if there are so many.
fn leaders(position: &Position<'_>) -> usize {
    let Position { options, votes, .. } = *position;
    let questions = options.top.saturating_mul(LEADERS).div_ceil(options.window);
    questions.saturating_mul(options.window).min(votes.items())
}

/// Returns the number of questions that show every leader once. A single one that is left over is in none.
fn per_round(position: &Position<'_>) -> usize {
    let (leaders, window) = (leaders(position), position.options.window);
    (leaders / window + usize::from(leaders % window > 1)).max(1)
}

/// Returns the leaders in batches by rating. If such a set was compared before, the leaders are dealt at random.
fn again(position: &Position<'_>) -> Vec<Vec<Item>> {
    let Position { options, history, .. } = *position;
    if is_over(position) {
        return Vec::new();
    }
    let mut compared = by_rating(position);
    compared.retain(|&item| !history.is_given_up(item));
    compared.truncate(leaders(position));
    let mut dealt = deal(position, &compared);
    // Where a wave had fewer questions than a round, this one goes on behind them.
    let first = history.leader_calls.checked_rem(dealt.len()).unwrap_or(0);
    let round = history.leader_calls / per_round(position);
    if dealt.iter().skip(first).any(|batch| is_repeated(position, batch)) {
        Random::new(options.seed.0, [1, round as u32]).shuffle(&mut compared);
        dealt = deal(position, &compared);
    }
    let first = first.min(dealt.len());
    dealt.rotate_left(first);
    dealt
}

fn is_repeated(position: &Position<'_>, batch: &[Item]) -> bool {
    let mut batch = batch.to_vec();
    batch.sort_unstable();
    position.history.round(&batch) > 0
}

/// Returns all items, best rated first.
fn by_rating(position: &Position<'_>) -> Vec<Item> {
    let ratings = ratings(position.votes.items(), position.ballots);
    let rating = |item: &Item| ratings.get(item.index()).copied().flatten().unwrap_or(0.0);
    let mut items: Vec<Item> = Item::first(position.votes.items()).collect();
    items.sort_by(|a, b| rating(b).total_cmp(&rating(a)));
    items
}

/// Cuts items into batches of the window, smaller ones around items that have brought no answer so far. An item that
/// is left alone is in none.
fn deal(position: &Position<'_>, items: &[Item]) -> Vec<Vec<Item>> {
    let Position { options, history, .. } = *position;
    let mut dealt: Vec<Vec<Item>> = Vec::new();
    let mut limit = 0;
    for &item in items {
        let own = history.limit(item, options.window);
        match dealt.last_mut() {
            Some(batch) if batch.len() < limit.min(own) => {
                limit = limit.min(own);
                batch.push(item);
            }
            _ => {
                limit = own;
                dealt.push(vec![item]);
            }
        }
    }
    dealt.retain(|batch| batch.len() > 1 || items.len() == 1);
    dealt
}

/// Returns the share of the best rated items that is expected to be among the best, or 0 if it is unknown.
fn certainty(position: &Position<'_>) -> f64 {
    let Position { options, votes, history, ballots, .. } = *position;
    let mut best = by_rating(position);
    best.truncate(options.top);
    let mut random = Random::new(options.seed.0, [2, history.leader_calls as u32]);
    posterior(votes.items(), ballots).map_or(0.0, |found| found.certainty(&best, DRAWS, &mut random))
}
