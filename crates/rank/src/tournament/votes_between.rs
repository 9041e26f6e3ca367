//! The votes inside the cycles of a tournament.

use llull_core::Item;
use serde::Serialize;

use super::outcome::TournamentOutcome;
use super::state_machine::Tournament;
use super::tally::UNITS;

/// The votes on two items.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct VotesBetween {
    /// The item that leads; of a pair on which votes cancel out the one with the lower number.
    pub better: Item,
    /// The other.
    pub worse: Item,
    /// The weight of the votes that put `better` first.
    pub votes: f64,
    /// The weight of those that put `worse` first.
    pub against: f64,
    /// The weight of those that found them equal.
    pub tied: f64,
}

impl Tournament {
    /// Returns the votes on pairs of items in a tier with a cycle, tier by tier: on its first `most` items, pairs in
    /// the order of the tier.
    ///
    /// ```
    /// use llull_core::Ballot;
    /// use llull_rank::{Tournament, TournamentOptions};
    ///
    /// let mut tournament = Tournament::new(3, TournamentOptions::default())?;
    /// for (better, worse) in [(0, 1), (1, 2), (2, 0)] {
    ///     tournament.cast(&Ballot::of([[better], [worse]]));
    /// }
    /// let votes = tournament.votes_in_cycles(&tournament.outcome(), 12);
    /// assert_eq!(votes.len(), 3);
    /// assert!(votes.iter().all(|pair| (pair.votes, pair.against, pair.tied) == (1.0, 0.0, 0.0)));
    /// # Ok::<(), llull_rank::TournamentError>(())
    /// ```
    pub fn votes_in_cycles(&self, outcome: &TournamentOutcome, most: usize) -> Vec<VotesBetween> {
        let mut found = Vec::new();
        for tier in outcome.tiers.iter().filter(|tier| tier.cyclic) {
            let items = &tier.items[..tier.items.len().min(most)];
            for (at, &one) in items.iter().enumerate() {
                found.extend(items[at + 1..].iter().filter_map(|&other| self.between(one, other)));
            }
        }
        found
    }

    /// The votes on two items; `None` if they were not compared.
    fn between(&self, one: Item, other: Item) -> Option<VotesBetween> {
        let tally = self.votes_on(one, other);
        let [votes, against, tied] = [tally.low, tally.high, tally.tied].map(|units| units as f64 / UNITS);
        let is_led = tally.margin() < 0 || (tally.margin() == 0 && other < one);
        let pair = VotesBetween { better: one, worse: other, votes, against, tied };
        (tally.total() > 0).then_some(match is_led {
            true => VotesBetween { better: other, worse: one, votes: against, against: votes, tied },
            false => pair,
        })
    }
}
