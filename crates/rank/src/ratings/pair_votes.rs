//! The votes on each pair of items.

use llull_core::{Ballot, Item};

use super::error::RatingError;

/// The votes on a pair of items, `first < second`, which are positions among the rated items.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pair {
    pub(super) first: usize,
    pub(super) second: usize,
    /// The weight of the votes for the first.
    pub(super) first_wins: f64,
    /// The weight of the votes for the second.
    pub(super) second_wins: f64,
    /// The weight of the votes for a tie.
    pub(super) ties: f64,
}

impl Pair {
    /// Returns the weight of all votes.
    pub(super) fn total(&self) -> f64 {
        self.first_wins + self.second_wins + self.ties
    }
}

/// The votes of ballots on pairs. A ballot of k items gives one vote to each pair of them, with the weight of the
/// ballot. Pairs inside its `rest` get none, since they were not compared.
#[derive(Debug, Clone)]
pub(super) struct PairVotes {
    /// The number of items, rated or not.
    pub(super) items: usize,
    /// The items of at least one pair, ascending.
    pub(super) rated: Vec<Item>,
    /// The pairs with a vote, ascending.
    pub(super) pairs: Vec<Pair>,
}

/// The content of a vote on two items.
#[derive(Clone, Copy)]
pub(super) enum Vote {
    Win,
    Tie,
}

impl PairVotes {
    /// Counts the votes, after checking the ballots.
    ///
    /// The votes are distributed by the first item of their pair, then added up item by item. So memory is
    /// walked nearly in order, which for a hundred thousand ballots is faster than a hash table.
    ///
    /// # Errors
    /// Returns an error if a ballot is invalid.
    pub(super) fn count(items: usize, ballots: &[Ballot]) -> Result<Self, RatingError> {
        check(items, ballots)?;
        let mut ends = vec![0; items];
        for ballot in ballots {
            each_vote(ballot, |better, worse, _| ends[better.min(worse).index()] += 1);
        }
        let mut dealt = 0;
        for end in &mut ends {
            // The start of the item's votes, until they are distributed.
            dealt += std::mem::replace(end, dealt);
        }
        let mut votes = vec![Dealt { second: Item(0), outcome: Outcome::Tie, weight: 0.0 }; dealt];
        for ballot in ballots {
            each_vote(ballot, |better, worse, vote| {
                let end = &mut ends[better.min(worse).index()];
                let outcome = match vote {
                    Vote::Tie => Outcome::Tie,
                    Vote::Win if better < worse => Outcome::First,
                    Vote::Win => Outcome::Second,
                };
                votes[*end] = Dealt { second: better.max(worse), outcome, weight: ballot.weight };
                *end += 1;
            });
        }
        Ok(Self::of_rated(items, add_up(&votes, &ends)))
    }

    /// Replaces items by their positions among the items of a pair.
    fn of_rated(items: usize, mut pairs: Vec<Pair>) -> Self {
        let mut position = vec![usize::MAX; items];
        for pair in &pairs {
            position[pair.first] = 0;
            position[pair.second] = 0;
        }
        let mut rated = Vec::new();
        for (item, at) in position.iter_mut().enumerate().filter(|(_, at)| **at == 0) {
            *at = rated.len();
            rated.push(Item::at(item));
        }
        for pair in &mut pairs {
            (pair.first, pair.second) = (position[pair.first], position[pair.second]);
        }
        Self { items, rated, pairs }
    }

    /// Returns values of the rated items as values of all items.
    pub(super) fn spread(&self, values: &[f64]) -> Vec<Option<f64>> {
        let mut all = vec![None; self.items];
        for (&item, &value) in self.rated.iter().zip(values) {
            all[item.index()] = Some(value);
        }
        all
    }
}

/// A vote on a pair. Its first item is known from the place where the vote is.
#[derive(Clone, Copy)]
struct Dealt {
    second: Item,
    outcome: Outcome,
    weight: f64,
}

#[derive(Clone, Copy)]
enum Outcome {
    First,
    Second,
    Tie,
}

/// Returns the pairs, ascending, of votes that are in the order of their first items; `ends` holds where each
/// item's votes end.
fn add_up(votes: &[Dealt], ends: &[usize]) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = Vec::with_capacity(votes.len());
    // The place of the pair with each second item, if it is one of the current first item's.
    let mut at = vec![usize::MAX; ends.len()];
    let mut start = 0;
    for (first, &end) in ends.iter().enumerate() {
        let own = pairs.len();
        for vote in &votes[start..end] {
            let second = vote.second.index();
            if at[second] < own || at[second] == usize::MAX {
                at[second] = pairs.len();
                pairs.push(Pair { first, second, first_wins: 0.0, second_wins: 0.0, ties: 0.0 });
            }
            let pair = &mut pairs[at[second]];
            match vote.outcome {
                Outcome::First => pair.first_wins += vote.weight,
                Outcome::Second => pair.second_wins += vote.weight,
                Outcome::Tie => pair.ties += vote.weight,
            }
        }
        pairs[own..].sort_unstable_by_key(|pair| pair.second);
        start = end;
    }
    pairs
}

/// Calls `vote` for each pair of a ballot, in the order of the ballot, the better item first.
pub(super) fn each_vote(ballot: &Ballot, mut vote: impl FnMut(Item, Item, Vote)) {
    for (at, group) in ballot.groups.iter().enumerate() {
        for (place, &item) in group.iter().enumerate() {
            for &tied in group.iter().skip(place + 1) {
                vote(item, tied, Vote::Tie);
            }
            for &worse in ballot.groups.iter().skip(at + 1).flatten().chain(&ballot.rest) {
                vote(item, worse, Vote::Win);
            }
        }
    }
}

/// Checks the ballots.
///
/// # Errors
/// Returns an error for the first ballot that names an unknown item, names an item twice or has an invalid
/// weight.
fn check(items: usize, ballots: &[Ballot]) -> Result<(), RatingError> {
    // The ballot, counted from 1, that named the item last.
    let mut last = vec![0; items];
    for (index, ballot) in ballots.iter().enumerate() {
        if !(ballot.weight > 0.0 && ballot.weight.is_finite()) {
            return Err(RatingError::BadWeight { ballot: index, weight: ballot.weight });
        }
        for item in ballot.items() {
            let Some(last) = last.get_mut(item.index()) else {
                return Err(RatingError::UnknownItem { ballot: index, item, items });
            };
            if *last == index + 1 {
                return Err(RatingError::RepeatedItem { ballot: index, item });
            }
            *last = index + 1;
        }
    }
    Ok(())
}
