//! The tournament as a state machine.

use super::asked::Asked;
use super::options::{TournamentError, TournamentOptions};
use super::outcome::{self, Outcome};
use super::reach::Reach;
use super::rejudge;
use super::schedule::{self, Position};
use super::standing::Standing;
use super::votes::{Change, Votes};
use llull_core::Ballot;

/// A question: put these items in order.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Batch {
    /// The items, ascending: at least 2, at most the window.
    pub items: Vec<u32>,
    /// How often exactly this set was asked about before; above 0 the question is a new one about the same items.
    pub round: u32,
}

/// A tournament between items that are numbered from 0 in prior order, best guess first.
///
/// A pure state machine: [`next`](Self::next) says what to ask, [`observe`](Self::observe) is told what was answered, and
/// [`outcome`](Self::outcome) says at any time what is known. The order in which the answers of a wave are observed changes
/// nothing.
#[derive(Debug, Clone)]
pub struct Tournament {
    options: TournamentOptions,
    votes: Votes,
    reach: Reach,
    asked: Asked,
}

impl Tournament {
    /// A tournament in which nothing is known.
    ///
    /// # Errors
    /// If the window is below 2, `top` is 0, or there are more items than `u32` numbers.
    pub fn new(items: usize, options: TournamentOptions) -> Result<Self, TournamentError> {
        options.check(items)?;
        let votes = Votes::new(items, options.ties);
        Ok(Self { options, votes, reach: Reach::new(items), asked: Asked::new(items) })
    }

    /// How many items there are.
    pub fn items(&self) -> usize {
        self.votes.items()
    }

    /// The settings.
    pub fn options(&self) -> &TournamentOptions {
        &self.options
    }

    /// What to ask now: disjoint batches, at most `max_batches`, whose answers do not depend on one another. Empty when
    /// nothing is left to ask. Asking again without observing gives the same wave.
    pub fn next(&mut self, max_batches: usize) -> Vec<Batch> {
        let standing = Standing::of(&self.votes, &self.reach);
        let position = self.position(&standing);
        let mut wave = schedule::wave(&position, max_batches);
        if wave.is_empty() {
            wave = rejudge::wave(&position, max_batches);
        }
        let batches: Vec<Batch> = wave
            .into_iter()
            .map(|mut items| {
                items.sort_unstable();
                Batch { round: self.asked.round(&items), items }
            })
            .collect();
        self.asked.proposed = !batches.is_empty();
        batches
    }

    /// Takes the answers to a batch: every ballot that was cast on it, by whichever judge. No ballot, or only ballots without
    /// groups: no usable answer. The batch's items are then proposed again in another round or in smaller company, and given
    /// up after 4 such questions in a row; what is not known of them stays provisional.
    pub fn observe(&mut self, batch: &Batch, ballots: &[Ballot]) {
        let mut items = batch.items.clone();
        items.sort_unstable();
        items.dedup();
        let again = self.contested(&items);
        let mut learnt = 0;
        for ballot in ballots {
            learnt += self.take(ballot, 1);
        }
        for &pair in &again {
            self.asked.count_again(pair);
        }
        let answered = ballots.iter().any(|ballot| !ballot.groups.is_empty());
        self.asked.count(&items, ballots, learnt > 0 || (answered && !again.is_empty()));
    }

    /// Counts a vote known from elsewhere. Items that the tournament does not have, and a weight that is not positive and
    /// finite, cast no vote.
    pub fn cast(&mut self, ballot: &Ballot) {
        self.take(ballot, 1);
    }

    /// Takes a vote back, as if it had never been cast. Only votes that were cast may be taken back.
    pub fn retract(&mut self, ballot: &Ballot) {
        self.take(ballot, -1);
    }

    /// Adds new items after the old, up to so many in all. What is known of the old ones stays known.
    pub fn extend(&mut self, items: usize) {
        if items > self.items() && u32::try_from(items).is_ok() {
            self.votes.grow(items);
            self.reach.grow(items);
            self.asked.grow(items);
        }
    }

    /// Whether the top that was asked for is known, and no cycle in it is still to be asked about again.
    pub fn is_final(&self) -> bool {
        self.position(&Standing::of(&self.votes, &self.reach)).is_final()
    }

    /// What is known now.
    pub fn outcome(&self) -> Outcome {
        outcome::outcome(&self.position(&Standing::of(&self.votes, &self.reach)))
    }

    fn position<'a>(&'a self, standing: &'a Standing) -> Position<'a> {
        Position {
            options: &self.options,
            votes: &self.votes,
            reach: &self.reach,
            standing,
            asked: &self.asked,
        }
    }

    /// Judged pairs of a batch inside one component: they are being asked about again.
    fn contested(&self, items: &[u32]) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        for (at, &one) in items.iter().enumerate() {
            for &other in &items[at + 1..] {
                let (a, b) = (one as usize, other as usize);
                if b < self.items()
                    && self.votes.judged.get(a, b)
                    && self.reach.down.get(a, b)
                    && self.reach.up.get(a, b)
                {
                    pairs.push((one, other));
                }
            }
        }
        pairs
    }

    /// Counts a ballot in or out; how many pairs it was the first to judge.
    fn take(&mut self, ballot: &Ballot, sign: i64) -> usize {
        let Change { added, removed, newly_judged } = self.votes.apply(ballot, sign);
        if removed {
            self.reach = Reach::of(&self.votes);
        } else {
            for (better, worse) in added {
                self.reach.insert(better as usize, worse as usize);
            }
        }
        newly_judged
    }
}
