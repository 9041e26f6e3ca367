//! The votes on every pair.

use llull_core::{Ballot, Item};
use rustc_hash::FxHashMap;
use serde::Serialize;

use super::bits::{self, BitMatrix};
use super::options::TieRule;
use super::outcome::TournamentOutcome;
use super::state_machine::Tournament;

/// The votes on every pair and the edges that follow from them.
#[derive(Debug, Clone)]
pub(crate) struct Votes {
    ties: TieRule,
    tallies: FxHashMap<Pair, Tally>,
    /// Row: an item. Column: an item that it beats, or ties with under [`TieRule::Equal`].
    pub(crate) beats: BitMatrix,
    /// The transpose of `beats`.
    pub(crate) beaten: BitMatrix,
    /// Pairs with a vote, both ways.
    pub(crate) judged: BitMatrix,
}

/// The changes of a ballot to the edges.
#[derive(Debug, Default)]
pub(crate) struct Change {
    /// Edges that appeared, each from the better item.
    pub(crate) added: Vec<Pair>,
    /// Whether an edge disappeared.
    pub(crate) removed: bool,
    /// The number of pairs that had no vote before.
    pub(crate) newly_judged: usize,
}

impl Votes {
    pub(crate) fn new(items: usize, ties: TieRule) -> Self {
        Self {
            ties,
            tallies: FxHashMap::default(),
            beats: BitMatrix::new(items),
            beaten: BitMatrix::new(items),
            judged: BitMatrix::new(items),
        }
    }

    pub(crate) fn items(&self) -> usize {
        self.judged.size()
    }

    pub(crate) fn ties(&self) -> TieRule {
        self.ties
    }

    pub(crate) fn grow(&mut self, items: usize) {
        self.beats.grow(items);
        self.beaten.grow(items);
        self.judged.grow(items);
    }

    /// Returns the votes on two items, seen from the first: `low` is for `one`, `high` for `other`.
    pub(crate) fn between(&self, one: Item, other: Item) -> Tally {
        let tally = self.tallies.get(&(one.min(other), one.max(other))).copied().unwrap_or_default();
        if one < other { tally } else { tally.flipped() }
    }

    /// Returns whether the pair was judged and has no edge.
    pub(crate) fn is_open(&self, one: usize, other: usize) -> bool {
        self.judged.get(one, other) && !self.beats.get(one, other) && !self.beats.get(other, one)
    }

    /// Row: an item. Column: an item that it has more votes than, ties not counted.
    pub(crate) fn leads(&self) -> BitMatrix {
        self.beats.without(&self.beaten)
    }

    /// The transpose of [`leads`](Self::leads).
    pub(crate) fn trails(&self) -> BitMatrix {
        self.beaten.without(&self.beats)
    }

    /// Returns the judged pairs in ascending order with their votes.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (Pair, Tally)> {
        (0..self.items()).flat_map(move |low| {
            bits::members(self.judged.row(low)).filter(move |&high| high > low).map(move |high| {
                let pair = (Item::at(low), Item::at(high));
                (pair, self.tallies.get(&pair).copied().unwrap_or_default())
            })
        })
    }

    /// Counts the pairs of a ballot. Items that the tournament does not have, and a weight that is not positive
    /// and finite, cast no vote.
    pub(crate) fn apply(&mut self, ballot: &Ballot) -> Change {
        let mut change = Change::default();
        let Some(units) = units(ballot.weight) else { return change };
        let ranked = self.ranked(ballot);
        // Neighbours first: their edges are those that the others follow from.
        for step in 1..ranked.len() {
            for (better, worse) in ranked.iter().zip(&ranked[step..]) {
                if better.0 == worse.0 || (better.1 == worse.1 && better.1 == ballot.groups.len()) {
                    continue;
                }
                self.vote(better.0, worse.0, better.1 == worse.1, units, &mut change);
            }
        }
        change
    }

    /// Returns the items of a ballot with the number of their group; items of the rest have one more than the
    /// last group.
    fn ranked(&self, ballot: &Ballot) -> Vec<(Item, usize)> {
        let groups = ballot.groups.iter().chain([&ballot.rest]).enumerate();
        groups
            .flat_map(|(group, items)| items.iter().map(move |&item| (item, group)))
            .filter(|&(item, _)| item.index() < self.items())
            .collect()
    }

    fn vote(&mut self, better: Item, worse: Item, tied: bool, units: i64, change: &mut Change) {
        let pair = (better.min(worse), better.max(worse));
        let tally = self.tallies.entry(pair).or_default();
        let side = match (tied, better < worse) {
            (true, _) => &mut tally.tied,
            (false, true) => &mut tally.low,
            (false, false) => &mut tally.high,
        };
        *side = side.saturating_add(units);
        let tally = *tally;
        self.redraw(pair, tally, change);
    }

    /// Brings the edges of a pair in line with its votes.
    fn redraw(&mut self, (low, high): Pair, tally: Tally, change: &mut Change) {
        let (l, h) = (low.index(), high.index());
        if !self.judged.get(l, h) {
            self.judged.set(l, h);
            self.judged.set(h, l);
            change.newly_judged += 1;
        }
        let margin = tally.margin();
        let equal = margin == 0 && self.ties == TieRule::Equal;
        for (from, to, wanted) in [(l, h, margin > 0 || equal), (h, l, margin < 0 || equal)] {
            if wanted == self.beats.get(from, to) {
                continue;
            }
            if wanted {
                self.beats.set(from, to);
                self.beaten.set(to, from);
                change.added.push((Item::at(from), Item::at(to)));
            } else {
                self.beats.clear(from, to);
                self.beaten.clear(to, from);
                change.removed = true;
            }
        }
    }
}

/// A pair of items, in ascending order.
pub(crate) type Pair = (Item, Item);

/// Weights are summed as integers, with this many units to 1, so that a sum does not depend on the order in
/// which votes arrive.
pub(crate) const UNITS: f64 = (1u64 << 20) as f64;

/// The votes on one pair, in units of weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Tally {
    /// For the item with the lower number.
    pub(crate) low: i64,
    /// For the item with the higher number.
    pub(crate) high: i64,
    /// For a tie.
    pub(crate) tied: i64,
}

/// Sums that differ by no more than this many units are equal: three votes of a third, for example, against
/// one vote.
const CLOSE: u64 = 16;

impl Tally {
    /// Returns by how much the lower item leads, in units; 0 if the votes cancel out.
    pub(crate) fn margin(self) -> i64 {
        if self.low.abs_diff(self.high) <= CLOSE { 0 } else { self.low - self.high }
    }

    pub(crate) fn total(self) -> i64 {
        self.low + self.high + self.tied
    }

    /// Returns whether votes for both sides cancel out.
    pub(crate) fn is_split(self) -> bool {
        self.margin() == 0 && self.low > 0
    }

    pub(crate) fn flipped(self) -> Self {
        Self { low: self.high, high: self.low, tied: self.tied }
    }
}

/// Returns a weight in units, at least one; `None` if the weight is not positive and finite.
pub(crate) fn units(weight: f64) -> Option<i64> {
    // 2^40 votes of the largest weight still fit.
    const MOST: f64 = (1u64 << 42) as f64;
    (weight.is_finite() && weight > 0.0).then(|| (weight * UNITS).round().clamp(1.0, MOST) as i64)
}

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

#[cfg(test)]
mod tests {
    use super::*;

    fn votes(ties: TieRule, ballots: &[Ballot]) -> Votes {
        let mut votes = Votes::new(5, ties);
        for ballot in ballots {
            votes.apply(ballot);
        }
        votes
    }

    #[test]
    fn the_rest_is_below_and_not_compared() {
        let ballot = Ballot { rest: vec![Item(0), Item(4)], ..Ballot::of([vec![3], vec![1, 2]]) };
        let votes = votes(TieRule::Equal, &[ballot]);
        assert!(votes.beats.get(3, 0) && votes.beats.get(1, 4) && !votes.beats.get(4, 1));
        assert!(votes.beats.get(1, 2) && votes.beats.get(2, 1));
        assert!(!votes.judged.get(0, 4));
        assert_eq!(votes.pairs().count(), 9);
    }

    #[test]
    fn sums_do_not_depend_on_the_order_of_weights() {
        let third = |judge| Ballot { weight: 1.0 / 3.0, judge, ..Ballot::of([[0], [1]]) };
        let whole = Ballot::of([[1], [0]]);
        let ballots = [third(0), whole, third(1), third(2)];
        let votes = votes(TieRule::Open, &ballots);
        assert_eq!(votes.between(Item(0), Item(1)).margin(), 0);
        assert!(votes.is_open(0, 1));
    }

    #[test]
    fn what_cannot_vote_does_not() {
        let stray = Ballot::of([[0], [9]]);
        let itself = Ballot::of([[2], [2]]);
        let weightless = |weight| Ballot { weight, ..Ballot::of([[0], [1]]) };
        let votes =
            votes(TieRule::Equal, &[stray, itself, weightless(0.0), weightless(f64::NAN), weightless(-1.0)]);
        assert_eq!(votes.pairs().count(), 0);
    }

    #[test]
    fn a_tie_is_an_edge_each_way_or_none() {
        let tie = Ballot::of([[0, 1]]);
        let equal = votes(TieRule::Equal, std::slice::from_ref(&tie));
        assert!(equal.beats.get(0, 1) && equal.beats.get(1, 0) && !equal.is_open(0, 1));
        let open = votes(TieRule::Open, &[tie]);
        assert!(!open.beats.get(0, 1) && !open.beats.get(1, 0) && open.is_open(0, 1));
    }
}
