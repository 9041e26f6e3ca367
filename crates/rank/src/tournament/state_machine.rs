//! The tournament as a state machine.

use llull_core::{Ballot, Item};

use super::ballots::{in_order, valid_ballot, valid_ballots};
use super::components::Condensation;
use super::history::{Answer, History};
use super::options::{Schedule, TournamentError, TournamentOptions};
use super::outcome::{self, TournamentOutcome};
use super::prior_order::PriorOrder;
use super::reach::Reach;
use super::votes::{Change, Tally, Votes};
use super::{exhaustive, leaders, rejudge, schedule, strength};

/// A tournament between items that are numbered from 0 in prior order, best guess first.
///
/// It is a pure state machine: [`next`](Self::next) returns the next questions, [`observe`](Self::observe) takes the
/// answers, and [`outcome`](Self::outcome) returns the result so far, at any time. The order in which the answers of a
/// wave are observed changes nothing.
#[derive(Debug, Clone)]
pub struct Tournament {
    options: TournamentOptions,
    votes: Votes,
    reach: Reach,
    history: History,
    prior: PriorOrder,
    ballots: Vec<Ballot>,
}

impl Tournament {
    /// Creates a tournament in which nothing is known.
    ///
    /// # Errors
    /// Returns an error if the window is below 2, `top` is 0, or there are more items than a `u32` can
    /// number.
    pub fn new(items: usize, options: TournamentOptions) -> Result<Self, TournamentError> {
        options.check(items)?;
        let votes = Votes::new(items, options.ties);
        let (reach, history, prior) = (Reach::new(items), History::new(items), PriorOrder::new(items));
        Ok(Self { options, votes, reach, history, prior, ballots: Vec::new() })
    }

    /// Returns the number of items.
    pub fn items(&self) -> usize {
        self.votes.items()
    }

    /// Returns the settings.
    pub fn options(&self) -> &TournamentOptions {
        &self.options
    }

    /// Returns the next questions: at most `max_batches` disjoint batches whose answers do not depend on one another,
    /// none at the end. Until an answer is observed, the same wave is returned again.
    pub fn next(&mut self, max_batches: usize) -> Vec<Batch> {
        let condensation = Condensation::of(&self.votes, &self.reach);
        let position = self.position(&condensation);
        let most =
            if self.options.schedule == Schedule::Sequential { max_batches.min(1) } else { max_batches };
        let of_leaders = leaders::are_compared(&position);
        let mut wave = match of_leaders {
            true => leaders::wave(&position, most),
            false => schedule::wave(&position, most),
        };
        if wave.is_empty() && !of_leaders {
            wave = exhaustive::wave(&position, most);
        }
        if wave.is_empty() && !of_leaders {
            wave = rejudge::wave(&position, most);
        }
        pad(&position, &mut wave);
        wave.retain(|batch| batch.len() > 1);
        let of_leaders = of_leaders && leaders::unseen(&position).is_empty();
        let batches: Vec<Batch> = wave
            .into_iter()
            .map(|mut items| {
                items.sort_unstable();
                Batch { round: self.history.round(&items), items }
            })
            .collect();
        self.history.proposed = !batches.is_empty();
        self.history.of_leaders = of_leaders;
        self.history.stopped = batches.is_empty() && max_batches > 0;
        batches
    }

    /// Takes the answers to a batch: every ballot that was cast on it, by any judge.
    ///
    /// Without a ballot, or with ballots that have no groups, there is no usable answer. The items of the batch are
    /// then proposed again, in another round or in smaller batches, and given up after 4 such questions in a row;
    /// their unknown places stay provisional.
    pub fn observe(&mut self, batch: &Batch, ballots: &[Ballot]) {
        let mut items = batch.items.clone();
        items.sort_unstable();
        items.dedup();
        // Batches of a wave share no pair, so this does not depend on the order in which they are observed.
        let unjudged = self.has_unjudged(&items);
        let learnt: usize = ballots.iter().map(|ballot| self.take(ballot)).sum();
        let answer = match (ballots.iter().any(|ballot| !ballot.groups.is_empty()), learnt > 0 || !unjudged) {
            (false, _) => Answer::Missing,
            (true, false) => Answer::Idle,
            (true, true) => Answer::Useful,
        };
        self.history.count(&items, answer);
    }

    /// Counts a vote from elsewhere. Items that the tournament does not have, and a weight that is not positive and
    /// finite, cast no vote.
    pub fn cast(&mut self, ballot: &Ballot) {
        self.take(ballot);
    }

    /// Returns this tournament with other votes on its questions: the same questions, with these ballots as answers.
    /// They determine the next questions and the final tiers.
    #[must_use]
    pub fn recast(&self, ballots: &[Ballot]) -> Self {
        let mut votes = Votes::new(self.items(), self.options.ties);
        for ballot in ballots {
            votes.apply(ballot);
        }
        let reach = Reach::of(&votes);
        let options = self.options.clone();
        let ballots = valid_ballots(self.items(), ballots);
        Self { options, votes, reach, history: self.history.clone(), prior: self.prior.clone(), ballots }
    }

    /// Adds new items after the old ones, up to `items` in all. The votes on the old ones stay.
    pub fn extend(&mut self, items: usize) {
        if items > self.items() && u32::try_from(items).is_ok() {
            self.votes.grow(items);
            self.reach.grow(items);
            self.history.grow(items);
            self.prior.grow(items);
        }
    }

    /// Returns whether the top is known and no cycle in it is still to be repeated. Under the exhaustive schedule
    /// every pair has to be judged, too, except those of items that were given up.
    pub fn is_final(&self) -> bool {
        outcome::is_final(&self.position(&Condensation::of(&self.votes, &self.reach)))
    }

    /// Returns the result so far.
    pub fn outcome(&self) -> TournamentOutcome {
        outcome::outcome(&self.position(&Condensation::of(&self.votes, &self.reach)))
    }

    /// Returns the number of pairs on which votes for one item and votes for the other cancel out.
    pub fn split_pairs(&self) -> usize {
        self.votes.pairs().filter(|(_, tally)| tally.is_split()).count()
    }

    pub(super) fn votes_on(&self, one: Item, other: Item) -> Tally {
        self.votes.between(one, other)
    }

    fn position<'a>(&'a self, condensation: &'a Condensation) -> Position<'a> {
        Position {
            options: &self.options,
            votes: &self.votes,
            ballots: &self.ballots,
            reach: &self.reach,
            condensation,
            history: &self.history,
            prior: Some(&self.prior),
        }
    }

    fn has_unjudged(&self, items: &[Item]) -> bool {
        let known = |item: &Item| item.index() < self.items();
        items.iter().enumerate().filter(|(_, item)| known(item)).any(|(at, &one)| {
            let mut others = items[at + 1..].iter().filter(|item| known(item));
            others.any(|&other| !self.votes.judged.get(one.index(), other.index()))
        })
    }

    /// Counts a ballot. Returns the number of pairs that it was the first to judge.
    fn take(&mut self, ballot: &Ballot) -> usize {
        // More may be worth a question now.
        self.history.stopped = false;
        if let Some(ballot) = valid_ballot(self.items(), ballot) {
            let place = self.ballots.partition_point(|other| in_order(other, &ballot).is_le());
            self.ballots.insert(place, ballot);
        }
        let Change { added, removed, newly_judged } = self.votes.apply(ballot);
        if removed {
            self.reach = Reach::of(&self.votes);
        } else {
            for (better, worse) in added {
                self.reach.insert(better.index(), worse.index());
            }
        }
        newly_judged
    }
}

/// A question: put these items in order.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Batch {
    /// The items, ascending: at least 2, at most the window.
    pub items: Vec<Item>,
    /// The number of earlier questions about exactly this set. Above 0, it is a new question about the same items.
    pub round: u32,
}

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

/// Everything that the choice of questions depends on.
pub(crate) struct Position<'a> {
    pub(crate) options: &'a TournamentOptions,
    pub(crate) votes: &'a Votes,
    /// The valid ballots, in an order that does not depend on their arrival.
    pub(crate) ballots: &'a [Ballot],
    pub(crate) reach: &'a Reach,
    pub(crate) condensation: &'a Condensation,
    pub(crate) history: &'a History,
    /// `None` if the numbers of the items have no relation to their worth.
    pub(crate) prior: Option<&'a PriorOrder>,
}
