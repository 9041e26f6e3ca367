//! Every query's tournament, wave by wave.
//!
//! The waves of all queries are joined, unless the requests of a run are limited.

use std::sync::Arc;

use llull_config::{JudgeSettings, Settings, TournamentSettings};
use llull_core::{Document, Seed};
use llull_judge::{estimate_tokens, fit, window_that_fits};
use llull_runner::{DocumentIndex, JudgeIdentity, Plan, PooledDocument, TopicIndex, WaveAnswers, Workload};
use rustc_hash::FxHashMap;

use super::query_tournament::{QueryTournament, Rules};
use crate::error::StudyError;
use crate::evidence::ComparedQuery;
use crate::inputs::Inputs;
use crate::judging::entry_order::EntryOrder;

/// Every query's tournament.
pub(crate) struct Tournaments<'a> {
    rules: Rules<'a>,
    queries: Vec<QueryTournament>,
    /// The highest number of requests of the run, if it is limited.
    requests: Option<u64>,
    /// The number of pooled documents that a judge cannot judge, and the first of them: query and document.
    unknown: (usize, Option<(String, String)>),
}

impl<'a> Tournaments<'a> {
    /// Begins a tournament for every query with documents that can be shown.
    ///
    /// # Errors
    /// Returns an error if the settings are invalid.
    pub(crate) fn new(
        settings: &'a Settings,
        tournament: &'a TournamentSettings,
        inputs: &Inputs,
        pooled: &'a Workload,
        judges: &[Arc<dyn JudgeIdentity>],
        entry_order: &mut EntryOrder,
    ) -> Result<Self, StudyError> {
        let needs_text = judges.iter().any(|judge| judge.needs_text());
        let budget = document_tokens(settings);
        let mut place = 0;
        let mut unknown = (0, None);
        let mut queries = Vec::with_capacity(inputs.asked().topics.len());
        for (topic, of_topic) in (0u32..).map(TopicIndex).zip(&inputs.asked().topics) {
            let first = place;
            place += of_topic.documents.len();
            let places = of_topic.fused_order().into_iter().map(|at| first + at as usize);
            // A document that a judge cannot judge would make every set with it unusable.
            let known = |at: &DocumentIndex| {
                let id = pooled.document(*at).map_or("", PooledDocument::id);
                let known = judges.iter().all(|judge| judge.knows(&of_topic.id, id));
                if !known {
                    unknown.0 += 1;
                    unknown.1.get_or_insert_with(|| (of_topic.id.clone(), id.to_owned()));
                }
                known
            };
            let documents: Vec<DocumentIndex> = places
                .filter_map(|place| pooled.question(place)?.documents.first().copied())
                .filter(|at| !needs_text || text(pooled, *at).is_some())
                .filter(known)
                .collect();
            let window = match budget {
                Some(budget) if !documents.is_empty() => {
                    let lengths: Vec<u32> = documents.iter().map(|at| length(pooled, *at, budget)).collect();
                    window_that_fits(&lengths, tournament.window, tournament.window_tokens)
                }
                _ => tournament.window,
            };
            let joined = in_entry_order(entry_order, &of_topic.id, pooled, &documents);
            let seed = Seed(settings.seed).stream(&format!("tournament of {}", of_topic.id));
            queries.push(QueryTournament::new(topic, &joined, window, tournament, Seed(seed))?);
        }
        let weights = settings.judges.iter().map(|judge| judge.weight).collect();
        let rules = Rules { settings: tournament, seed: Seed(settings.seed), weights, pooled };
        Ok(Self { rules, queries, requests: None, unknown })
    }

    /// Limits the requests. Only as many queries are compared at once as the limit can surely finish: a first wave of
    /// all queries would use it up, and settle none.
    #[must_use]
    pub(crate) fn limited(self, requests: Option<u64>) -> Self {
        Self { requests, ..self }
    }

    /// Begins a tournament of a stronger judge for the documents of every tier with a cycle, as far as they are among
    /// the best that are put in order.
    ///
    /// # Errors
    /// Returns an error if the settings are invalid.
    pub(crate) fn of_cycles(
        settings: &'a Settings,
        tournament: &'a TournamentSettings,
        strong: &[JudgeSettings],
        pooled: &'a Workload,
        compared: &[ComparedQuery],
    ) -> Result<Self, StudyError> {
        let mut queries = Vec::new();
        for query in compared {
            let mut above = 0;
            for tier in &query.outcome.tiers {
                let wanted = tournament.top.saturating_sub(above);
                above += tier.items.len();
                if !tier.cyclic || wanted == 0 {
                    continue;
                }
                let documents: Vec<DocumentIndex> =
                    tier.items.iter().filter_map(|item| query.documents.get(item.index()).copied()).collect();
                let of_tier = TournamentSettings { top: wanted, ..tournament.clone() };
                let name = pooled.topic(query.topic).map_or("", |topic| topic.id.as_str());
                let seed = Seed(settings.seed).stream(&format!("cycle {above} of {name}"));
                queries.push(QueryTournament::new(
                    query.topic,
                    &[documents],
                    query.window,
                    &of_tier,
                    Seed(seed),
                )?);
            }
        }
        let weights = vec![1.0; strong.len()];
        let rules = Rules { settings: tournament, seed: Seed(settings.seed), weights, pooled };
        Ok(Self { rules, queries, requests: None, unknown: (0, None) })
    }

    /// Returns whether the requests are limited.
    pub(crate) fn is_limited(&self) -> bool {
        self.requests.is_some()
    }

    /// Returns a note about documents that take no part.
    pub(crate) fn note(&self) -> Option<String> {
        let (topic, document) = self.unknown.1.as_ref()?;
        let (documents, no_label) = match self.unknown.0 {
            1 => ("1 pooled document is".to_owned(), "it has no label"),
            n => (format!("{n} pooled documents are"), "they have no label"),
        };
        Some(format!(
            "{documents} not in the labels that a replay judge compares by, so {no_label} (the first: query {topic}, \
             document {document})"
        ))
    }

    /// Returns the results of every tournament.
    pub(crate) fn finish(self) -> Vec<ComparedQuery> {
        let judges = self.rules.weights.len();
        self.queries.into_iter().map(|query| query.finish(judges)).collect()
    }

    /// Observes a wave without a new question.
    fn observe_nothing(&mut self) {
        let none = |_, _| &llull_core::Status::WithoutText;
        self.observe(&WaveAnswers::new(self.rules.weights.len(), 0, &none));
    }
}

impl Plan for Tournaments<'_> {
    fn next(&mut self) -> Option<Arc<Workload>> {
        loop {
            let mut going_on = false;
            let asked: u64 = self.queries.iter().map(|query| query.requests(&self.rules)).sum();
            let mut left = self.requests.map(|requests| requests.saturating_sub(asked));
            for query in &mut self.queries {
                let most = query.most_requests(&self.rules).saturating_sub(query.requests(&self.rules));
                if going_on && left.is_some_and(|left| left < most) {
                    continue;
                }
                if query.begin_wave(&self.rules) {
                    going_on = true;
                    left = left.map(|left| left.saturating_sub(most));
                }
            }
            let questions: Vec<_> = self.queries.iter().flat_map(QueryTournament::questions).collect();
            if !questions.is_empty() {
                return self.rules.pooled.comparing(questions).ok().map(Arc::new);
            }
            if !going_on {
                return None;
            }
            // A batch without a new question counts as answered, too.
            self.observe_nothing();
        }
    }

    fn observe(&mut self, wave: &WaveAnswers<'_>) {
        let mut first = 0;
        for query in &mut self.queries {
            first += query.observe(wave, first, &self.rules);
        }
    }
}

fn text(pooled: &Workload, at: DocumentIndex) -> Option<&Document> {
    pooled.document(at).and_then(PooledDocument::document)
}

/// Returns documents by the time at which they joined the query's tournament.
fn in_entry_order(
    entry_order: &mut EntryOrder,
    query: &str,
    pooled: &Workload,
    documents: &[DocumentIndex],
) -> Vec<Vec<DocumentIndex>> {
    let named = || documents.iter().filter_map(|at| Some((pooled.document(*at)?.id(), *at)));
    let places: FxHashMap<&str, DocumentIndex> = named().collect();
    let ids: Vec<&str> = named().map(|(id, _)| id).collect();
    let order = entry_order.in_order(query, &ids);
    order.iter().map(|ids| ids.iter().filter_map(|id| places.get(id).copied()).collect()).collect()
}

/// Returns the length of a document as shown, in estimated tokens.
fn length(pooled: &Workload, at: DocumentIndex, budget: u32) -> u32 {
    text(pooled, at).map_or(0, |document| estimate_tokens(fit(&document.shown(), budget).shown))
}

/// Returns the longest part of a document that any judge sees; `None` without a language model.
fn document_tokens(settings: &Settings) -> Option<u32> {
    settings.judges.iter().filter_map(|judge| judge.kind.document_tokens()).max()
}
