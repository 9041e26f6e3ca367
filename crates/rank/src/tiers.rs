//! Tiers of given ballots.

use crate::tournament::ballots::valid_ballots;
use crate::tournament::components::Condensation;
use crate::tournament::history::History;
use crate::tournament::options::{TieRule, TournamentOptions};
use crate::tournament::outcome::{TournamentOutcome, outcome};
use crate::tournament::reach::Reach;
use crate::tournament::state_machine::Position;
use crate::tournament::votes::Votes;
use llull_core::Ballot;

/// Returns the tiers, the order and the contradictions of given ballots about items `0..items`.
///
/// There is no schedule: `calls`, `waves` and `unanswered` are 0, `complete` is true if the ballots put all items in
/// order, and no pair is to be repeated. Items outside `0..items`, and ballots whose weight is not positive and
/// finite, cast no vote.
///
/// ```
/// use llull_core::{Ballot, Item};
/// use llull_rank::{TieRule, tiers};
///
/// let ballots = [Ballot::of([vec![2], vec![0, 1]]), Ballot::of([[1], [3]])];
/// let outcome = tiers(4, &ballots, TieRule::Equal);
/// assert_eq!(outcome.tiers.len(), 3);
/// assert_eq!(outcome.tiers[1].items, [1, 0].map(Item));
/// assert!(outcome.complete);
/// ```
pub fn tiers(items: usize, ballots: &[Ballot], ties: TieRule) -> TournamentOutcome {
    let mut votes = Votes::new(items, ties);
    for ballot in ballots {
        votes.apply(ballot);
    }
    let reach = Reach::of(&votes);
    let condensation = Condensation::of(&votes, &reach);
    let options =
        TournamentOptions { top: items.max(1), ties, rejudge: Some(0), ..TournamentOptions::default() };
    let history = History::new(items);
    outcome(&Position {
        options: &options,
        votes: &votes,
        ballots: &valid_ballots(items, ballots),
        reach: &reach,
        condensation: &condensation,
        history: &history,
        prior: None,
    })
}
