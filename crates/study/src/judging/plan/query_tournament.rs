//! One query's tournament: its documents, questions and results.

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
use crate::labelling::{IN_CYCLE, PanelVotes};

/// The number of orders that are drawn in search of a new one.
const ORDERS_TRIED: u32 = 8;

/// The rules that all tournaments of a study share.
pub(super) struct Rules<'a> {
    pub(super) settings: &'a TournamentSettings,
    pub(super) seed: Seed,
    /// The weight of each judge's votes.
    pub(super) weights: Vec<f64>,
    pub(super) pooled: &'a Workload,
}

pub(super) struct QueryTournament {
    topic: TopicIndex,
    /// The documents that take part, best guess first. An item of the tournament is a position in this list.
    documents: Vec<DocumentIndex>,
    /// The highest number of documents in its questions.
    window: usize,
    tournament: Tournament,
    /// The numbers of documents that join next, after all questions about the present ones.
    waiting: VecDeque<usize>,
    /// The shown orders. A second question in one of them would be answered by the ledger, and the answer counted
    /// twice.
    seen: BTreeSet<Vec<Item>>,
    /// The batches of the current wave.
    under_way: Vec<ShownBatch>,
    /// Whether a judge lacks a question, so that the tournament cannot go on.
    open: bool,
    questions: usize,
    partial: u64,
    /// All votes of a panel; empty for a single judge, whose contradictions are the outcome's.
    said: Vec<Ballot>,
}

/// A batch, and its shown orders, each a question to every judge.
struct ShownBatch {
    batch: Batch,
    orders: Vec<Vec<Item>>,
}

impl QueryTournament {
    /// Begins a tournament of these documents, a list for each time of joining.
    ///
    /// # Errors
    /// Returns an error if the settings are invalid.
    pub(super) fn new(
        topic: TopicIndex,
        joined: &[Vec<DocumentIndex>],
        window: usize,
        settings: &TournamentSettings,
        seed: Seed,
    ) -> Result<Self, StudyError> {
        let mut waiting: VecDeque<usize> = joined.iter().map(Vec::len).collect();
        let tournament = Tournament::new(waiting.pop_front().unwrap_or(0), settings.options(window, seed))?;
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

    /// Returns the number of requests for the questions so far, over all judges.
    pub(super) fn requests(&self, rules: &Rules<'_>) -> u64 {
        self.questions as u64 * rules.weights.len() as u64
    }

    /// Returns the most requests that the tournament can need: for pairs, every one in every order. Larger sets need at
    /// most about one for each document.
    pub(super) fn most_requests(&self, rules: &Rules<'_>) -> u64 {
        let documents = self.documents.len() as u64;
        let orders = if rules.settings.both_orders() { 2 } else { 1 };
        let questions = match self.window {
            2 => documents * documents.saturating_sub(1) / 2 * most_orders(rules.settings),
            _ => documents * orders,
        };
        questions * rules.weights.len() as u64
    }

    /// Begins the next wave. Returns whether there is a wave to observe, with or without questions.
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

    /// Returns the questions of the wave, each a set of documents in the shown order.
    pub(super) fn questions(&self) -> impl Iterator<Item = DocumentSet> {
        self.under_way.iter().flat_map(|shown| &shown.orders).map(|order| {
            let documents = order.iter().filter_map(|item| self.documents.get(item.index()));
            DocumentSet { topic: self.topic, documents: documents.copied().collect() }
        })
    }

    /// Observes the states of the wave's questions, the first of which is `first` in the wave of all queries. Returns
    /// the number of questions.
    ///
    /// A set of documents without a question to every judge does not count. Tiers from the others' votes would seem
    /// final, and the missing votes might overturn them.
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

    /// Returns the next batches. Documents that joined later come after all questions about the others.
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

    /// Returns the orders in which a batch is shown; none if it has been shown in every drawn order.
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

    /// Returns the present result, with all documents.
    pub(super) fn finish(mut self, judges: usize) -> ComparedQuery {
        self.waiting.clear();
        self.tournament.extend(self.documents.len());
        let outcome = self.tournament.outcome();
        ComparedQuery {
            topic: self.topic,
            votes: self.tournament.votes_in_cycles(&outcome, IN_CYCLE),
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
