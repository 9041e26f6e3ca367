//! One query's tournament: which documents take part, which questions a batch becomes, and what the answers settle.

use std::collections::{BTreeSet, VecDeque};

use llull_config::TournamentSettings;
use llull_core::{Ballot, Item, Seed, Status};
use llull_rank::{Batch, Tournament};
use llull_runner::{
    DocumentIndex, DocumentSet, JudgeIndex, PooledDocument, TopicIndex, WaveAnswers, Workload,
};

use crate::error::StudyError;
use crate::evidence::{ComparedQuery, Votes, votes};
use crate::judging::call_range::most_orders;
use crate::labelling::{IN_CIRCLE, PanelVotes};

/// How many orders are drawn in search of one that was not shown.
const ORDERS_TRIED: u32 = 8;

/// What all tournaments of a study have in common.
pub(super) struct Rules<'a> {
    pub(super) settings: &'a TournamentSettings,
    pub(super) seed: Seed,
    /// How much each judge's votes count.
    pub(super) weights: Vec<f64>,
    pub(super) pooled: &'a Workload,
}

/// The tournament of one query.
pub(super) struct QueryTournament {
    topic: TopicIndex,
    /// The documents that take part, best guess first. An item of the tournament is a position in this list.
    documents: Vec<DocumentIndex>,
    /// How many documents its questions show at most.
    window: usize,
    tournament: Tournament,
    /// How many documents join next, once nothing is left to ask about those that are there.
    waiting: VecDeque<usize>,
    /// The orders that were shown. A second question in one of them would be answered by the ledger, and the answer
    /// counted twice.
    seen: BTreeSet<Vec<Item>>,
    /// The batches of the wave that is under way.
    under_way: Vec<ShownBatch>,
    /// Whether a question has not been put to every judge, so that the tournament cannot go on.
    open: bool,
    questions: usize,
    partial: u64,
    /// Everything that a panel said; nothing of an only judge, whose contradictions are the outcome's.
    said: Vec<Ballot>,
}

/// A batch, and the orders in which it is shown, each a question to every judge.
struct ShownBatch {
    batch: Batch,
    orders: Vec<Vec<Item>>,
}

impl QueryTournament {
    /// Begins a tournament of these documents, a list for each time that some joined.
    ///
    /// # Errors
    /// Returns an error if the settings are invalid.
    pub(super) fn new(
        topic: TopicIndex,
        joined: &[Vec<DocumentIndex>],
        window: usize,
        settings: &TournamentSettings,
    ) -> Result<Self, StudyError> {
        let mut waiting: VecDeque<usize> = joined.iter().map(Vec::len).collect();
        let tournament = Tournament::new(waiting.pop_front().unwrap_or(0), settings.options(window))?;
        Ok(Self {
            topic,
            documents: joined.concat(),
            window,
            tournament,
            waiting,
            seen: BTreeSet::new(),
            under_way: Vec::new(),
            open: false,
            questions: 0,
            partial: 0,
            said: Vec::new(),
        })
    }

    /// Returns the number of requests that the questions so far take, of all judges.
    pub(super) fn requests(&self, rules: &Rules<'_>) -> u64 {
        self.questions as u64 * rules.weights.len() as u64
    }

    /// Returns the most requests that the tournament can take: of pairs, every one as often as it can be asked. Larger
    /// sets take at most about one for each document.
    pub(super) fn most_requests(&self, rules: &Rules<'_>) -> u64 {
        let documents = self.documents.len() as u64;
        let orders = if rules.settings.both_orders() { 2 } else { 1 };
        let questions = match self.window {
            2 => documents * documents.saturating_sub(1) / 2 * most_orders(rules.settings),
            _ => documents * orders,
        };
        questions * rules.weights.len() as u64
    }

    /// Begins the next wave. Returns whether there is anything to observe, with or without questions.
    pub(super) fn begin_wave(&mut self, rules: &Rules<'_>) -> bool {
        self.under_way.clear();
        if !self.open {
            for batch in self.batches() {
                let orders = self.orders(&batch, rules);
                self.questions += orders.len();
                self.under_way.push(ShownBatch { batch, orders });
            }
        }
        !self.under_way.is_empty()
    }

    /// Returns the questions of the wave, each a set of documents in the order in which it is shown.
    pub(super) fn questions(&self) -> impl Iterator<Item = DocumentSet> {
        self.under_way.iter().flat_map(|shown| &shown.orders).map(|order| {
            let documents = order.iter().filter_map(|item| self.documents.get(item.index()));
            DocumentSet { topic: self.topic, documents: documents.copied().collect() }
        })
    }

    /// Observes how the wave's questions stand, the first of which is `first` in the wave of all queries. Returns how
    /// many questions it was.
    ///
    /// A set of documents about which not every judge was asked does not count: tiers that follow from the others'
    /// votes would pass for final, and the votes still to come might overturn them.
    pub(super) fn observe(&mut self, wave: &WaveAnswers<'_>, first: usize, rules: &Rules<'_>) -> usize {
        let mut question = first;
        for shown in std::mem::take(&mut self.under_way) {
            let questions = question..question + shown.orders.len();
            question = questions.end;
            let status =
                |judge: JudgeIndex| questions.clone().map(move |question| wave.status(judge, question));
            if wave.judges().any(|judge| status(judge).any(|status| *status == Status::NotAsked)) {
                self.open = true;
                continue;
            }
            let mut ballots: Vec<Ballot> = Vec::new();
            let mut voted = 0;
            for (judge, weight) in wave.judges().zip(&rules.weights) {
                let verdicts: Vec<_> = status(judge).map(Status::order).collect();
                let rule =
                    Votes { paradigm: rules.settings.paradigm, double_check: rules.settings.double_check };
                let cast = votes(rule, &shown.orders, &verdicts);
                voted += usize::from(!cast.is_empty());
                let cast: Vec<Ballot> =
                    cast.into_iter().map(|ballot| Ballot { judge: judge.0 as u32, ..ballot }).collect();
                if rules.weights.len() > 1 {
                    self.said.extend_from_slice(&cast);
                }
                ballots.extend(
                    cast.into_iter().map(|ballot| Ballot { weight: weight * ballot.weight, ..ballot }),
                );
            }
            self.partial += u64::from(voted > 0 && voted < wave.judges().count());
            self.tournament.observe(&shown.batch, &ballots);
        }
        question - first
    }

    /// Returns the next batches. Documents that joined later come in when nothing is left to ask about the others.
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

    /// Returns the orders in which a batch is shown; none if it has been shown in every order that was drawn.
    fn orders(&mut self, batch: &Batch, rules: &Rules<'_>) -> Vec<Vec<Item>> {
        let topic = rules.pooled.topic(self.topic).map_or("", |topic| topic.id.as_str());
        let document = |item: &Item| rules.pooled.document(*self.documents.get(item.index())?);
        let ids: Vec<&str> =
            batch.items.iter().map(|item| document(item).map_or("", PooledDocument::id)).collect();
        let order = |ask: u32| -> Vec<Item> {
            let places = llull_judge::shown_order(rules.seed, topic, &ids, ask);
            places.into_iter().filter_map(|at| batch.items.get(at).copied()).collect()
        };
        let wanted = if rules.settings.both_orders() { 2 } else { 1 };
        let first = batch.round * wanted;
        let drawn = (first..first + ORDERS_TRIED).map(order);
        drawn.filter(|order| self.seen.insert(order.clone())).take(wanted as usize).collect()
    }

    /// Returns what is known by now, of all documents.
    pub(super) fn finish(mut self, judges: usize) -> ComparedQuery {
        self.waiting.clear();
        self.tournament.extend(self.documents.len());
        let outcome = self.tournament.outcome();
        ComparedQuery {
            topic: self.topic,
            votes: self.tournament.votes_in_circles(&outcome, IN_CIRCLE),
            window: self.window,
            questions: self.questions,
            partial: self.partial,
            outcome,
            split: self.tournament.split_pairs(),
            panel: (judges > 1).then(|| PanelVotes::new(self.tournament, judges, self.said)),
            documents: self.documents,
        }
    }
}
