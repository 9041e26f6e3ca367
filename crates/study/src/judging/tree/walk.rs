//! Walks a tree for the questions of a wave.

use std::sync::Arc;

use llull_core::{Answer, ComparedVerdict, Judgment, Outcome, PairChoice, Status, Verdict};
use llull_learner::Step;
use llull_runner::{DocumentIndex, DocumentSet, Evidence, JudgeIdentity, TopicIndex, Workload};
use llull_store::{LedgerWriter, MemoryLedger};
use rustc_hash::FxHashMap;

use super::features::{TreeFeature, TreeFeatures, answer};
use crate::error::StudyError;
use crate::judging::attributes::AttributePanel;
use crate::judging::evidence_source::{EvidenceSource, PanelRole};

/// A pair of documents in the shown order.
type Shown = (TopicIndex, DocumentIndex, DocumentIndex);

/// The state of a question that the tree needs.
enum Told {
    /// An answer that counts.
    Answer(Arc<ComparedVerdict>),
    /// There is no answer, and there will be none.
    Nothing,
    /// The answer is still open.
    Open,
}

/// A tree that is walked for many pairs at once: for each, it sends only the questions of its branch.
pub(crate) struct TreeWalk<'a> {
    tree: &'a TreeFeatures,
    panels: &'a [AttributePanel],
    /// The known answers, by source.
    told: Vec<FxHashMap<Shown, Told>>,
    /// All questions, by source, in order.
    asked: Vec<Vec<DocumentSet>>,
    /// The answers of the tree.
    said: Vec<(Arc<Workload>, Vec<Status>)>,
}

impl<'a> TreeWalk<'a> {
    pub(crate) fn new(tree: &'a TreeFeatures, panels: &'a [AttributePanel]) -> Self {
        let told = panels.iter().map(|_| FxHashMap::default()).collect();
        Self { tree, panels, told, asked: vec![Vec::new(); panels.len()], said: Vec::new() }
    }

    /// Returns the tree's answers to the questions of a wave; first it sends all questions that it needs.
    ///
    /// # Errors
    /// Returns an error if these questions cannot be sent.
    pub(crate) fn wave(
        &mut self,
        wave: &Arc<Workload>,
        source: &mut dyn EvidenceSource,
    ) -> Result<Vec<Status>, StudyError> {
        let shown = |question: usize| match wave.question(question)?.documents {
            [first, second] => Some((wave.question(question)?.topic, *first, *second)),
            _ => None,
        };
        let pairs: Vec<Option<Shown>> = (0..wave.len()).map(shown).collect();
        let mut steps: Vec<Option<Step>> = self.steps(&pairs);
        loop {
            let wanted = self.wanted(&pairs, &steps);
            if wanted.iter().all(Vec::is_empty) {
                break;
            }
            for (at, sets) in wanted.into_iter().enumerate().filter(|(_, sets)| !sets.is_empty()) {
                self.ask(at, sets, source)?;
            }
            steps = self.steps(&pairs);
        }
        let statuses: Vec<Status> = steps.iter().map(|step| self.status(step.as_ref())).collect();
        self.said.push((Arc::clone(wave), statuses.clone()));
        Ok(statuses)
    }

    /// Returns the tree's answers in the form of recorded ones.
    ///
    /// # Errors
    /// Returns an error if there is no such judge.
    pub(crate) fn said(&self, identities: &[Arc<dyn JudgeIdentity>]) -> Result<MemoryLedger, StudyError> {
        let mut ledger = MemoryLedger::default();
        let Some(tree) = identities.first() else { return Ok(ledger) };
        let judge = ledger.register(tree.name(), tree.spec())?;
        let mut attempts = Vec::new();
        for (wave, statuses) in &self.said {
            for (case, status) in wave.cases().zip(statuses) {
                let Status::Judged(Judgment::Order(order)) = status else { continue };
                let verdict = Verdict::Compared(ComparedVerdict::clone(order));
                let answer = Answer::computed(Outcome::Judged { verdict });
                attempts.push((judge, case.attempt(tree.key(&case, 0), answer)));
            }
        }
        ledger.append(&attempts)?;
        Ok(ledger)
    }

    /// Returns all questions to one source.
    ///
    /// # Errors
    /// Returns an error if they were of other documents.
    pub(crate) fn asked(&self, at: usize) -> Result<Arc<Workload>, StudyError> {
        match (self.panels.get(at), self.asked.get(at)) {
            (Some(panel), Some(sets)) => panel.asking(sets.clone()),
            _ => Ok(Arc::default()),
        }
    }

    fn steps(&self, pairs: &[Option<Shown>]) -> Vec<Option<Step>> {
        let step = |pair: &Option<Shown>| {
            let pair = (*pair)?;
            Some(self.tree.learner.learner.step(|feature| self.known(feature, pair)))
        };
        pairs.iter().map(step).collect()
    }

    /// The choice of a feature for a pair; `None` while it is unknown.
    fn known(&self, feature: usize, pair: Shown) -> Option<PairChoice> {
        let feature = self.tree.features.get(feature).copied().flatten()?;
        let told = self.told.get(feature.asked)?;
        let mut verdicts = Vec::with_capacity(2);
        for order in orders(feature, pair) {
            verdicts.push(match told.get(&order)? {
                Told::Answer(verdict) => Some(&**verdict),
                Told::Nothing => None,
                Told::Open => return None,
            });
        }
        Some(answer(feature, &verdicts))
    }

    /// The new questions of these steps, by source.
    fn wanted(&self, pairs: &[Option<Shown>], steps: &[Option<Step>]) -> Vec<Vec<DocumentSet>> {
        let mut wanted: Vec<indexmap::IndexSet<Shown>> = vec![indexmap::IndexSet::new(); self.panels.len()];
        for (pair, step) in pairs.iter().zip(steps) {
            let (Some(pair), Some(Step::Ask(features))) = (pair, step) else { continue };
            let features = features.iter().filter_map(|at| self.tree.features.get(*at).copied().flatten());
            for feature in features {
                let (Some(told), Some(wanted)) =
                    (self.told.get(feature.asked), wanted.get_mut(feature.asked))
                else {
                    continue;
                };
                wanted.extend(orders(feature, *pair).filter(|order| !told.contains_key(order)));
            }
        }
        let set = |(topic, first, second): Shown| DocumentSet { topic, documents: vec![first, second] };
        wanted.into_iter().map(|sets| sets.into_iter().map(set).collect()).collect()
    }

    fn ask(
        &mut self,
        at: usize,
        sets: Vec<DocumentSet>,
        source: &mut dyn EvidenceSource,
    ) -> Result<(), StudyError> {
        let Some(panel) = self.panels.get(at) else { return Ok(()) };
        let evidence = source.play_part(&panel.asking(sets.clone())?, PanelRole::Attribute(at))?;
        if let (Some(told), Some(asked)) = (self.told.get_mut(at), self.asked.get_mut(at)) {
            for (question, set) in sets.iter().enumerate() {
                if let [first, second] = set.documents.as_slice() {
                    told.insert((set.topic, *first, *second), said(&evidence, question));
                }
            }
            asked.extend(sets);
        }
        Ok(())
    }

    fn status(&self, step: Option<&Step>) -> Status {
        let Some(Step::Score(score)) = step else { return Status::NotAsked };
        let order = match PairChoice::of_score(*score, self.tree.learner.threshold) {
            PairChoice::Lhs => vec![vec![0], vec![1]],
            PairChoice::Rhs => vec![vec![1], vec![0]],
            PairChoice::Neither | PairChoice::Missing => vec![vec![0, 1]],
        };
        Status::Judged(Judgment::Order(Arc::new(ComparedVerdict { order, ..ComparedVerdict::default() })))
    }
}

/// The orders in which a feature's pair is shown: the given one, and for both orders also the reverse.
fn orders(feature: TreeFeature, (topic, first, second): Shown) -> impl Iterator<Item = Shown> {
    [(topic, first, second), (topic, second, first)].into_iter().take(if feature.both { 2 } else { 1 })
}

/// The state of a question for its one judge.
fn said(evidence: &Evidence, question: usize) -> Told {
    let Some(judge) = evidence.judges().first() else { return Told::Open };
    match judge.status(question) {
        Status::Judged(Judgment::Order(order)) => Told::Answer(Arc::clone(order)),
        status if judge.is_open(status) => Told::Open,
        _ => Told::Nothing,
    }
}
