//! Votes on pairs of items, counted.

use llull_core::{Ballot, Item};

use super::error::RatingError;

/// What was voted on a pair of items, `first < second`; positions are among the rated items.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pair {
    pub(super) first: usize,
    pub(super) second: usize,
    /// Weight of the votes for the first.
    pub(super) first_wins: f64,
    /// Weight of the votes for the second.
    pub(super) second_wins: f64,
    /// Weight of the votes for a tie.
    pub(super) ties: f64,
}

impl Pair {
    /// Weight of all votes.
    pub(super) fn total(&self) -> f64 {
        self.first_wins + self.second_wins + self.ties
    }
}

/// The pairs that ballots amount to. A ballot of k items gives one vote to each pair of them, with the ballot's weight, except
/// to two of its `rest`, which nobody compared.
#[derive(Debug, Clone)]
pub(super) struct PairVotes {
    /// How many items there are, rated or not.
    pub(super) items: usize,
    /// The items of at least one pair, ascending.
    pub(super) rated: Vec<Item>,
    /// PairVotes with a vote, ascending.
    pub(super) pairs: Vec<Pair>,
}

/// Which of two items a vote is for.
#[derive(Clone, Copy)]
pub(super) enum Vote {
    Win,
    Tie,
}

impl PairVotes {
    /// Counts the votes, after checking the ballots.
    ///
    /// The votes are dealt out by the first item of their pair, then added up item by item: memory is walked nearly in order, which for a
    /// hundred thousand ballots is faster than a hash table.
    pub(super) fn count(items: usize, ballots: &[Ballot]) -> Result<Self, RatingError> {
        check(items, ballots)?;
        let mut ends = vec![0; items];
        for ballot in ballots {
            each_vote(ballot, |better, worse, _| ends[better.min(worse).index()] += 1);
        }
        let mut dealt = 0;
        for end in &mut ends {
            // Where the item's votes start, until they are dealt.
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

    /// Renames items to their positions among those of a pair.
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

    /// Values of the rated items as values of all.
    pub(super) fn spread(&self, values: &[f64]) -> Vec<Option<f64>> {
        let mut all = vec![None; self.items];
        for (&item, &value) in self.rated.iter().zip(values) {
            all[item.index()] = Some(value);
        }
        all
    }
}

/// A vote on a pair whose first item is known from where the vote is.
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

/// The pairs, ascending, of votes that are in the order of their first items; `ends` says where each item's votes end.
fn add_up(votes: &[Dealt], ends: &[usize]) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = Vec::with_capacity(votes.len());
    // Where the pair with each second item is, as far as it is one of the current first item's.
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

/// Gives every pair of a ballot, in the ballot's order, the better item first.
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

/// An error for the first ballot that names an unknown item, names an item twice or has a bad weight.
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
