//! One query's tournament: which documents take part, which questions a batch becomes, which ballots its answers are.

use std::collections::{BTreeSet, VecDeque};

use llull_core::{Ballot, ComparedVerdict, Item, Paradigm, Seed};
use llull_rank::{Batch, Tournament, TournamentOutcome};
use llull_runner::{PooledDocument, Workload};

use crate::StudyError;
use crate::config::TournamentSettings;

/// How many orders are drawn in search of one that was not shown.
const ORDERS_TRIED: u32 = 8;

/// The tournament of one query.
pub(crate) struct Contest {
    /// The topic's position.
    pub(crate) topic: u32,
    /// The documents that take part, best guess first, as positions in the workload. An item of the tournament is a
    /// position in this list.
    pub(crate) documents: Vec<u32>,
    /// How many documents its questions show at most.
    pub(crate) window: usize,
    tournament: Tournament,
    /// How many documents join next, once nothing is left to ask about those that are there.
    waiting: VecDeque<usize>,
    /// The orders that were shown. A second question in one of them would be answered by the ledger, and the answer counted
    /// twice.
    seen: BTreeSet<Vec<Item>>,
}

/// A batch on its way: the orders in which it is shown, each a question to every judge.
pub(crate) struct Shown {
    batch: Batch,
    /// Items in the order shown, a list a question.
    orders: Vec<Vec<Item>>,
}

impl Shown {
    /// How many questions it is.
    pub(crate) fn questions(&self) -> usize {
        self.orders.len()
    }
}

impl Contest {
    /// A tournament of these documents, a list for each time that some joined.
    ///
    /// # Errors
    /// When the options cannot be.
    pub(crate) fn new(
        topic: u32,
        joined: &[Vec<u32>],
        window: usize,
        settings: &TournamentSettings,
    ) -> Result<Self, StudyError> {
        let mut waiting: VecDeque<usize> = joined.iter().map(Vec::len).collect();
        let tournament = Tournament::new(waiting.pop_front().unwrap_or(0), settings.options(window))
            .map_err(|error| StudyError::Unfit(error.to_string()))?;
        Ok(Self { topic, documents: joined.concat(), window, tournament, waiting, seen: BTreeSet::new() })
    }

    /// The next wave's batches. Who joined later comes in when nothing is left to ask about the others.
    fn batches(&mut self) -> Vec<Batch> {
        loop {
            let batches = self.tournament.next(usize::MAX);
            if !batches.is_empty() {
                return batches;
            }
            match self.waiting.pop_front() {
                Some(joining) => self.tournament.extend(self.tournament.items() + joining),
                None => return batches,
            }
        }
    }

    /// The batches of its next wave, each with the orders in which it is to be shown; none when all is known that can be. A
    /// batch that has been shown in every order that comes to mind has no order left, and so no question.
    pub(crate) fn next(
        &mut self,
        pooled: &Workload,
        seed: Seed,
        settings: &TournamentSettings,
    ) -> Vec<Shown> {
        let topic = pooled.topics().get(self.topic as usize).map_or("", |topic| topic.id.as_str());
        let mut wave = Vec::new();
        for batch in self.batches() {
            let document = |item: &Item| pooled.documents().get(*self.documents.get(item.index())? as usize);
            let ids: Vec<&str> =
                batch.items.iter().map(|item| document(item).map_or("", PooledDocument::id)).collect();
            let order = |ask: u32| -> Vec<Item> {
                let places = llull_judge::shown_order(seed, topic, &ids, ask);
                places.into_iter().filter_map(|at| batch.items.get(at).copied()).collect()
            };
            let wanted = if settings.both_orders() { 2 } else { 1 };
            let first = batch.round * wanted;
            let fresh =
                (first..first + ORDERS_TRIED).map(order).filter(|order| self.seen.insert(order.clone()));
            let orders = fresh.take(wanted as usize).collect();
            wave.push(Shown { orders, batch });
        }
        wave
    }

    /// The questions of a batch: the topic, and the documents in the order shown.
    pub(crate) fn questions(&self, shown: &Shown) -> impl Iterator<Item = (u32, Vec<u32>)> {
        shown.orders.iter().map(|order| {
            let documents = order.iter().filter_map(|item| self.documents.get(item.index()));
            (self.topic, documents.copied().collect())
        })
    }

    /// Takes in a batch's answers. `answer` gives a judge's verdict on the batch's n-th question, if it is usable. Returns how many
    /// of the judges have cast a vote.
    pub(crate) fn observe<'a>(
        &mut self,
        shown: &Shown,
        weights: &[f64],
        settings: &TournamentSettings,
        answer: impl Fn(usize, usize) -> Option<&'a ComparedVerdict>,
    ) -> usize {
        let mut ballots = Vec::new();
        let mut voted = 0;
        for (judge, weight) in weights.iter().enumerate() {
            let verdicts: Vec<_> = (0..shown.questions()).map(|question| answer(judge, question)).collect();
            let cast = if settings.double_check {
                agreed(&shown.orders, &verdicts).into_iter().collect()
            } else {
                let answered = shown.orders.iter().zip(verdicts);
                answered
                    .filter_map(|(order, verdict)| Some((order, verdict?)))
                    .flat_map(|(order, verdict)| votes(settings.paradigm, order, verdict))
                    .collect::<Vec<_>>()
            };
            voted += usize::from(!cast.is_empty());
            ballots.extend(cast.into_iter().map(|ballot| Ballot {
                judge: judge as u32,
                weight: weight * ballot.weight,
                ..ballot
            }));
        }
        self.tournament.observe(&shown.batch, &ballots);
        voted
    }

    /// What is known by now, of all documents.
    pub(crate) fn outcome(&mut self) -> TournamentOutcome {
        self.waiting.clear();
        self.tournament.extend(self.documents.len());
        self.tournament.outcome()
    }
}

/// A verdict as a ballot of items.
fn ballot(order: &[Item], verdict: &ComparedVerdict) -> Ballot {
    let item = |position: &u16| order.get(usize::from(*position)).copied();
    let groups: Vec<Vec<Item>> =
        verdict.order.iter().map(|group| group.iter().filter_map(item).collect()).collect();
    let rest = order.iter().copied().filter(|item| !groups.iter().flatten().any(|named| named == item));
    Ballot { rest: rest.collect(), ..Ballot::new(groups) }
}

/// What one verdict votes for. A pair that was judged with probabilities is split by them, so that a judge who is half sure
/// counts half.
fn votes(paradigm: Paradigm, order: &[Item], verdict: &ComparedVerdict) -> Vec<Ballot> {
    let (Paradigm::Pairwise, [left, right], [first, second]) =
        (paradigm, order, verdict.probabilities.as_slice())
    else {
        return vec![ballot(order, verdict)];
    };
    let neither = (1.0 - first - second).max(0.0);
    let parts = [
        (Ballot::strict([*left, *right]), *first),
        (Ballot::strict([*right, *left]), *second),
        (Ballot::new(vec![vec![*left, *right]]), neither),
    ];
    let certain = parts.into_iter().filter(|(_, weight)| *weight > 0.0);
    certain.map(|(ballot, weight)| Ballot { weight, ..ballot }).collect()
}

/// A preference that holds in both orders, else Neither; nothing where an answer is missing (seed 003's double check).
fn agreed(orders: &[Vec<Item>], verdicts: &[Option<&ComparedVerdict>]) -> Option<Ballot> {
    let ballots: Vec<Ballot> = orders
        .iter()
        .zip(verdicts)
        .map(|(order, verdict)| Some(ballot(order, (*verdict)?)))
        .collect::<Option<_>>()?;
    let (first, others) = ballots.split_first()?;
    if others.iter().all(|other| other.groups == first.groups) {
        return Some(first.clone());
    }
    Some(Ballot::new(vec![first.items().collect()]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(order: &[&[u16]]) -> ComparedVerdict {
        ComparedVerdict { order: order.iter().map(|group| group.to_vec()).collect(), ..Default::default() }
    }

    #[test]
    fn positions_become_items_and_what_is_not_named_is_the_rest() {
        let cast = ballot(&[7, 3, 5].map(Item), &verdict(&[&[2]]));
        assert_eq!((cast.groups, cast.rest), (vec![vec![Item(5)]], vec![Item(7), Item(3)]));
    }

    #[test]
    fn a_preference_counts_only_if_it_survives_the_swap() {
        let orders = [[1, 2], [2, 1]].map(|order| order.map(Item).to_vec());
        let (left, right, neither) = (verdict(&[&[0], &[1]]), verdict(&[&[1], &[0]]), verdict(&[&[0, 1]]));
        let cast = |first, second| agreed(&orders, &[first, second]);
        assert_eq!(cast(Some(&left), Some(&right)), Some(Ballot::of([[1], [2]])));
        assert_eq!(cast(Some(&left), Some(&left)), Some(Ballot::of([[1, 2]])), "the first place, twice");
        assert_eq!(cast(Some(&left), Some(&neither)), Some(Ballot::of([[1, 2]])));
        assert_eq!(cast(Some(&left), None), None);
    }

    #[test]
    fn a_half_sure_judge_counts_half() {
        let sure = ComparedVerdict { probabilities: vec![0.75, 0.25], ..verdict(&[&[0], &[1]]) };
        let cast = votes(Paradigm::Pairwise, &[4, 9].map(Item), &sure);
        let weights: Vec<_> = cast.iter().map(|ballot| (ballot.groups[0][0], ballot.weight)).collect();
        assert_eq!(weights, [(Item(4), 0.75), (Item(9), 0.25)]);
    }
}
