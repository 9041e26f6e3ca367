//! The votes of each judge on the pairs of one topic.

use std::collections::BTreeMap;

use llull_core::Ballot;

use super::super::components::Components;
use super::super::error::RatingError;
use super::super::pair_votes::PairVotes;

/// The comparisons of one topic's items.
pub(super) struct Topic {
    pub(super) pairs: PairVotes,
    pub(super) components: Components,
    pub(super) votes: Vec<JudgedPair>,
}

/// A judge's votes on a pair.
pub(super) struct JudgedPair {
    /// The pair, as a position among the topic's.
    pub(super) pair: usize,
    /// The judge, as ballots name it.
    pub(super) judge: u32,
    /// The weight of the votes for the first item, and half that of ties.
    pub(super) first: f64,
    /// The weight of the votes for the second item, and half that of ties.
    pub(super) second: f64,
}

impl Topic {
    pub(super) fn of(items: usize, ballots: &[Ballot]) -> Result<Self, RatingError> {
        let pairs = PairVotes::count(items, ballots)?;
        let mut by_judge: BTreeMap<u32, Vec<Ballot>> = BTreeMap::new();
        for ballot in ballots {
            by_judge.entry(ballot.judge).or_default().push(ballot.clone());
        }
        let mut votes = Vec::new();
        for (judge, own) in by_judge {
            let own = PairVotes::count(items, &own)?;
            // Both lists ascend by the same items.
            let mut all = pairs.pairs.iter().enumerate();
            for pair in &own.pairs {
                let ends = [own.rated.get(pair.first), own.rated.get(pair.second)];
                let found =
                    all.find(|(_, one)| [pairs.rated.get(one.first), pairs.rated.get(one.second)] == ends);
                votes.extend(found.map(|(at, _)| JudgedPair {
                    pair: at,
                    judge,
                    first: pair.first_wins + pair.ties / 2.0,
                    second: pair.second_wins + pair.ties / 2.0,
                }));
            }
        }
        Ok(Self { components: Components::of(&pairs), pairs, votes })
    }
}
