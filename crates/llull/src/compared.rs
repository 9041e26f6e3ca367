//! Judging by comparison: every query's tournament, driven wave by wave, and played again from the ledger.

use std::sync::Arc;

use llull_core::{ComparedVerdict, FailureKind, Seed, TaskKey};
use llull_judge::{estimate_tokens, fit, window_that_fits};
use llull_rank::TournamentOutcome;
use llull_runner::{Case, Ended, Judge, PooledDocument, WaveOutcome, Workload};
use llull_store::{JudgeId, JudgmentStore, Known};
use rustc_hash::FxHashMap;

use crate::config::{JudgeKind, TournamentSettings};
use crate::contest::{Contest, Shown};
use crate::joined::Joined;
use crate::{Prepared, Study, StudyError};

/// What comparing came to.
pub struct Comparison {
    /// The queries, in the order of the topics.
    pub topics: Vec<ComparedTopic>,
    /// What graded anchors say, where labels are anchored: by query, in the same order.
    pub anchored: Vec<llull_label::Anchored>,
}

/// What comparing one query's documents came to.
pub struct ComparedTopic {
    /// The topic's position.
    pub topic: u32,
    /// The documents that took part, in the order in which they joined, best guess first, as positions in the workload. The outcome's items are positions in
    /// this list.
    pub documents: Vec<u32>,
    /// How many documents a question showed at most.
    pub window: usize,
    /// The questions asked, each of every judge.
    pub questions: usize,
    /// The sets of documents that some judges of the panel have compared and some have not, having failed or answered unusably.
    /// The tiers rest on the votes of the others there.
    pub partial: u64,
    /// The tiers.
    pub outcome: TournamentOutcome,
}

impl ComparedTopic {
    /// The tier of each document that took part, from 0, by its position in the workload.
    pub fn tiers(&self) -> FxHashMap<u32, usize> {
        let tiers = self.outcome.tiers.iter().enumerate();
        tiers
            .flat_map(|(place, tier)| tier.items.iter().map(move |item| (*item, place)))
            .filter_map(|(item, place)| Some((*self.documents.get(item.index())?, place)))
            .collect()
    }
}

/// Every query's tournament, and what is needed to play on.
pub(crate) struct Tournaments<'a> {
    settings: &'a TournamentSettings,
    seed: Seed,
    weights: Vec<f64>,
    pooled: &'a Workload,
    contests: Vec<Contest>,
    /// The batches of the wave that is being asked, by the position of their contest.
    asked: Vec<(usize, Shown)>,
    /// Pooled documents that a judge cannot judge, and the first of them: query and document.
    unknown: (usize, Option<(String, String)>),
}

impl<'a> Tournaments<'a> {
    /// A tournament for every query with documents that can be shown.
    ///
    /// # Errors
    /// When the options cannot be.
    pub(crate) fn new(
        study: &'a Study,
        settings: &'a TournamentSettings,
        prepared: &Prepared,
        pooled: &'a Workload,
        judges: &[Arc<dyn Judge>],
        joined: &mut Joined,
    ) -> Result<Self, StudyError> {
        let needs_text = judges.iter().any(|judge| judge.needs_text());
        let budget = document_tokens(study);
        let mut place = 0;
        let mut unknown = (0, None);
        let mut contests = Vec::with_capacity(prepared.pool.topics.len());
        for (topic, of_topic) in (0u32..).zip(&prepared.pool.topics) {
            let first = place;
            place += of_topic.documents.len();
            let places = of_topic.fused_order().into_iter().map(|at| first + at as usize);
            // What a judge cannot judge would make every set that shows it unusable.
            let known = |at: &u32| {
                let id = pooled.documents().get(*at as usize).map_or("", PooledDocument::id);
                let known = judges.iter().all(|judge| judge.knows(&of_topic.id, id));
                if !known {
                    unknown.0 += 1;
                    unknown.1.get_or_insert_with(|| (of_topic.id.clone(), id.to_owned()));
                }
                known
            };
            let documents: Vec<u32> = places
                .filter_map(|place| pooled.question(place)?.documents.first().copied())
                .filter(|at| !needs_text || text(pooled, *at).is_some())
                .filter(known)
                .collect();
            let lengths: Vec<u32> = match budget {
                Some(budget) => documents.iter().map(|at| length(pooled, *at, budget)).collect(),
                None => Vec::new(),
            };
            let window = match lengths.is_empty() {
                true => settings.window,
                false => window_that_fits(&lengths, settings.window, settings.window_tokens),
            };
            contests.push(Contest::new(
                topic,
                &in_order(joined, &of_topic.id, pooled, &documents),
                window,
                settings,
            )?);
        }
        Ok(Self {
            settings,
            seed: Seed(study.settings().seed),
            weights: study.settings().judges.iter().map(|judge| judge.weight).collect(),
            pooled,
            contests,
            asked: Vec::new(),
            unknown,
        })
    }

    /// What the user should know about documents that take no part.
    pub(crate) fn note(&self) -> Option<String> {
        let (topic, document) = self.unknown.1.as_ref()?;
        let (documents, no_label) = match self.unknown.0 {
            1 => ("1 pooled document is".to_owned(), "it has no label"),
            n => (format!("{n} pooled documents are"), "they have no label"),
        };
        Some(format!(
            "{documents} not in the labels that a replay judge compares by, so {no_label} (the first: query {topic}, document {document})"
        ))
    }

    /// The next wave's questions, of all queries together; none when nothing is left to ask.
    pub(crate) fn wave(&mut self) -> Vec<(u32, Vec<u32>)> {
        loop {
            self.asked.clear();
            let mut questions = Vec::new();
            for (place, contest) in self.contests.iter_mut().enumerate() {
                for shown in contest.next(self.pooled, self.seed, self.settings) {
                    questions.extend(contest.questions(&shown));
                    self.asked.push((place, shown));
                }
            }
            if !questions.is_empty() || self.asked.is_empty() {
                return questions;
            }
            // Nothing new can be asked about these: that is an answer, too.
            for (place, shown) in &self.asked {
                if let Some(contest) = self.contests.get_mut(*place) {
                    contest.observe(shown, &self.weights, self.settings, |_, _| None);
                }
            }
        }
    }

    /// Takes in how the wave has ended.
    pub(crate) fn observe(&mut self, wave: &WaveOutcome<'_>) {
        let answers: Vec<Vec<&Ended>> = wave
            .judges
            .iter()
            .map(|judge| judge.questions().filter_map(|ends| ends.first()).collect())
            .collect();
        let mut first = 0;
        for (place, shown) in &self.asked {
            let Some(contest) = self.contests.get_mut(*place) else { continue };
            contest.observe(shown, &self.weights, self.settings, |judge, question| {
                match answers.get(judge)?.get(first + question)? {
                    Ended::Answered(Known::Compared(verdict)) => Some(verdict.as_ref()),
                    _ => None,
                }
            });
            first += shown.questions();
        }
    }

    /// Plays every tournament from what the ledger knows, as far as that leads: up to the wave with a set of documents about
    /// which not every judge was asked, and that set does not count. Returns the outcomes and all questions that came up,
    /// those without an answer included, topic by topic.
    pub(crate) fn replay(
        mut self,
        judges: &[Arc<dyn Judge>],
        answers: &[Answers],
    ) -> (Vec<ComparedTopic>, Vec<(u32, Vec<u32>)>) {
        let mut all = Vec::new();
        let mut topics = Vec::with_capacity(self.contests.len());
        for mut contest in std::mem::take(&mut self.contests) {
            let before = all.len();
            let mut open = false;
            let mut partial = 0;
            while !open {
                let wave = contest.next(self.pooled, self.seed, self.settings);
                if wave.is_empty() {
                    break;
                }
                for shown in &wave {
                    let questions: Vec<_> = contest.questions(shown).collect();
                    let known = look_up(self.pooled, judges, answers, &questions);
                    all.extend(questions);
                    // Votes of some judges, or of one order of two, are no result: tiers that follow from them would pass
                    // for final, and the votes still to come might overturn them.
                    if known.iter().flatten().any(|answer| *answer == Looked::NotAsked) {
                        open = true;
                        continue;
                    }
                    let voted = contest.observe(shown, &self.weights, self.settings, |judge, question| {
                        match known.get(judge)?.get(question)? {
                            Looked::Verdict(verdict) => Some(verdict.as_ref()),
                            Looked::Nothing | Looked::NotAsked => None,
                        }
                    });
                    partial += u64::from(voted > 0 && voted < judges.len());
                }
            }
            topics.push(ComparedTopic {
                topic: contest.topic,
                window: contest.window,
                questions: all.len() - before,
                partial,
                outcome: contest.outcome(),
                documents: contest.documents,
            });
        }
        (topics, all)
    }
}

/// What a ledger knows of one judge.
pub(crate) struct Answers {
    known: FxHashMap<TaskKey, Known>,
    failed: FxHashMap<TaskKey, FailureKind>,
}

impl Answers {
    /// All that the ledger knows of this judge.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn of(judge: JudgeId, ledger: &dyn JudgmentStore) -> Result<Self, StudyError> {
        Ok(Self { known: ledger.known(judge)?, failed: ledger.failures(judge)? })
    }
}

/// One judge's answer to one question, as the ledger has it.
#[derive(Debug, PartialEq)]
enum Looked {
    Verdict(Arc<ComparedVerdict>),
    /// Asked, and no verdict came of it.
    Nothing,
    NotAsked,
}

/// The judges' answers, a list a judge.
fn look_up(
    pooled: &Workload,
    judges: &[Arc<dyn Judge>],
    answers: &[Answers],
    questions: &[(u32, Vec<u32>)],
) -> Vec<Vec<Looked>> {
    let of_judge = |(judge, answers): (&Arc<dyn Judge>, &Answers)| {
        let look = |(topic, documents): &(u32, Vec<u32>)| {
            let topic = pooled.topics().get(*topic as usize);
            let Some(case) = topic.and_then(|topic| Case::new(topic, documents, pooled.documents())) else {
                return Looked::Nothing;
            };
            let key = judge.key(&case, 0);
            match answers.known.get(&key) {
                Some(Known::Compared(verdict)) => Looked::Verdict(Arc::clone(verdict)),
                Some(_) => Looked::Nothing,
                None if answers.failed.contains_key(&key) => Looked::Nothing,
                None => Looked::NotAsked,
            }
        };
        questions.iter().map(look).collect()
    };
    judges.iter().zip(answers).map(of_judge).collect()
}

fn text(pooled: &Workload, at: u32) -> Option<&llull_core::Document> {
    pooled.documents().get(at as usize).and_then(PooledDocument::document)
}

/// Documents by the time at which they joined the query's tournament.
fn in_order(joined: &mut Joined, topic: &str, pooled: &Workload, documents: &[u32]) -> Vec<Vec<u32>> {
    let places: FxHashMap<&str, u32> =
        documents.iter().filter_map(|at| Some((pooled.documents().get(*at as usize)?.id(), *at))).collect();
    let ids: Vec<&str> =
        documents.iter().filter_map(|at| Some(pooled.documents().get(*at as usize)?.id())).collect();
    let order = joined.in_order(topic, &ids);
    order.iter().map(|ids| ids.iter().filter_map(|id| places.get(id).copied()).collect()).collect()
}

/// How long a document is as it is shown, in estimated tokens.
fn length(pooled: &Workload, at: u32, budget: u32) -> u32 {
    text(pooled, at).map_or(0, |document| estimate_tokens(fit(&document.shown(), budget).shown))
}

/// The most that any judge is shown of a document; `None` without a language model.
fn document_tokens(study: &Study) -> Option<u32> {
    let tokens = study.settings().judges.iter().filter_map(|judge| match &judge.kind {
        JudgeKind::Prompted { document_tokens, .. } => Some(*document_tokens),
        JudgeKind::Replay { .. } | JudgeKind::Similarity {} => None,
    });
    tokens.max()
}
