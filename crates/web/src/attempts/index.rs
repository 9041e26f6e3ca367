//! Indexes every attempt, so that no page reads the whole ledger.

use std::collections::BTreeSet;
use std::sync::Arc;

use llull::core::{Attempt, FailureKind, Grade, Hash, Outcome, Reason};
use llull::runner::AnnotatorJudge;
use llull::store::{AttemptFacts, JudgeId, LedgerJudge, Tally};
use llull::{Study, StudyError};
use rustc_hash::{FxHashMap, FxHashSet};

/// The attempts of a ledger, oldest first. An attempt's place is its position, from 1.
#[derive(Debug, Default)]
pub(crate) struct LedgerIndex {
    judges: Vec<IndexedJudge>,
    attempts: Vec<IndexedAttempt>,
    queries: FxHashMap<String, u32>,
    /// The identifiers of the queries, and the places of the attempts about each.
    by_query: Vec<(String, Vec<u64>)>,
    /// The questions of a judge whose attempts so far brought no verdict.
    unanswered: FxHashSet<(u32, u64)>,
    /// The names of models, each once.
    models: BTreeSet<Arc<str>>,
}

/// A judge of the ledger, and sums over its attempts.
#[derive(Debug)]
pub(crate) struct IndexedJudge {
    pub(crate) id: JudgeId,
    /// The judge's registration; `None` until it has been read.
    pub(crate) registered: Option<LedgerJudge>,
    pub(crate) tally: Tally,
    /// How many of its attempts repeat a question that had brought no verdict.
    pub(crate) repeats: u64,
}

/// An attempt, in short.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IndexedAttempt {
    /// The position of its judge in the index.
    pub(crate) judge: u32,
    pub(crate) query: u32,
    /// The beginning of the question's key.
    pub(crate) question: u64,
    pub(crate) ended: Ended,
    pub(crate) latency_ms: u32,
    pub(crate) cost_usd: Option<f64>,
    pub(crate) at_ms: i64,
    /// Whether it repeats a question that had brought no verdict.
    pub(crate) repeats: bool,
}

/// How an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    /// With a verdict, and its grade if it is one.
    Judged(Option<Grade>),
    /// With a reply that cannot be counted.
    Unusable(Reason),
    /// Refused by the judge's server because of its text.
    Refused(Reason),
    /// Without a reply.
    Failed(FailureKind),
}

impl IndexedJudge {
    /// Whether it has this fingerprint.
    pub(crate) fn is(&self, fingerprint: &Hash) -> bool {
        self.registered.as_ref().is_some_and(|judge| judge.spec.fingerprint() == *fingerprint)
    }

    /// Its name at its first attempt.
    pub(crate) fn name(&self) -> String {
        self.registered.as_ref().map_or_else(|| format!("judge {}", self.id.0), |judge| judge.name.clone())
    }
}

impl Ended {
    /// Whether a judge answered, usably or not.
    pub(crate) fn is_answer(self) -> bool {
        !matches!(self, Self::Refused(_) | Self::Failed(_))
    }

    /// The outcome and, where there is no verdict, why, as an address has them.
    pub(crate) fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Judged(_) => ("judged", ""),
            Self::Unusable(reason) => ("unusable", reason.name()),
            Self::Refused(reason) => ("refused", reason.name()),
            Self::Failed(kind) => ("failed", kind.name()),
        }
    }
}

impl LedgerIndex {
    /// Whether a person is among the judges.
    pub(crate) fn has_annotators(&self) -> bool {
        let mut registered = self.judges.iter().filter_map(|judge| judge.registered.as_ref());
        registered.any(|judge| AnnotatorJudge::annotator(&judge.spec).is_some())
    }

    /// Reads new attempts. Returns whether there were any.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read.
    pub(crate) fn follow(&mut self, study: &Study) -> Result<bool, StudyError> {
        let before = self.attempts.len();
        study.ledger().follow(before as u64, &mut |judge, attempt| self.add(judge, attempt))?;
        // A judge is registered before its first attempt, so all of these are there by now.
        if self.attempts.len() > before || self.judges.is_empty() {
            for judge in study.ledger().judges()? {
                let at = self.judge_at(judge.id);
                if let Some(known) = self.judges.get_mut(at as usize) {
                    known.registered = Some(judge);
                }
            }
        }
        Ok(self.attempts.len() > before)
    }

    fn add(&mut self, judge: JudgeId, attempt: &Attempt) {
        let at = self.judge_at(judge);
        let query = self.query_at(&attempt.topic);
        let mut question = [0; 8];
        question.iter_mut().zip(attempt.key.0).for_each(|(to, byte)| *to = byte);
        let question = u64::from_le_bytes(question);
        let ended = match &attempt.answer.outcome {
            Outcome::Judged { verdict } => Ended::Judged(verdict.grade()),
            Outcome::Unusable(unusable) if unusable.reason.is_refusal() => Ended::Refused(unusable.reason),
            Outcome::Unusable(unusable) => Ended::Unusable(unusable.reason),
            Outcome::Failed(failure) => Ended::Failed(failure.kind),
        };
        let repeats = match ended {
            Ended::Judged(_) => self.unanswered.remove(&(at, question)),
            Ended::Unusable(_) | Ended::Refused(_) | Ended::Failed(_) => {
                !self.unanswered.insert((at, question))
            }
        };
        if let Some(known) = self.judges.get_mut(at as usize) {
            known.tally.add(&AttemptFacts::of(attempt, &mut self.models));
            known.repeats += u64::from(repeats);
        }
        self.attempts.push(IndexedAttempt {
            judge: at,
            query,
            question,
            ended,
            latency_ms: attempt.latency_ms,
            cost_usd: attempt.answer.cost_usd,
            at_ms: attempt.at_ms,
            repeats,
        });
        if let Some((_, places)) = self.by_query.get_mut(query as usize) {
            places.push(self.attempts.len() as u64);
        }
    }

    /// The position of a judge, which is added if it is new.
    fn judge_at(&mut self, id: JudgeId) -> u32 {
        let at = self.judges.iter().position(|known| known.id == id).unwrap_or(self.judges.len());
        if at == self.judges.len() {
            self.judges.push(IndexedJudge { id, registered: None, tally: Tally::default(), repeats: 0 });
        }
        at as u32
    }

    fn query_at(&mut self, id: &str) -> u32 {
        if let Some(at) = self.queries.get(id) {
            return *at;
        }
        let at = self.by_query.len() as u32;
        self.queries.insert(id.to_owned(), at);
        self.by_query.push((id.to_owned(), Vec::new()));
        at
    }

    /// The judges, in the order in which they first answered or were registered.
    pub(crate) fn judges(&self) -> &[IndexedJudge] {
        &self.judges
    }

    pub(crate) fn judge_of(&self, attempt: &IndexedAttempt) -> Option<&IndexedJudge> {
        self.judges.get(attempt.judge as usize)
    }

    /// The judge with this number in the ledger.
    pub(crate) fn judge(&self, id: JudgeId) -> Option<&IndexedJudge> {
        self.judges.iter().find(|judge| judge.id == id)
    }

    /// All attempts, oldest first.
    pub(crate) fn attempts(&self) -> &[IndexedAttempt] {
        &self.attempts
    }

    pub(crate) fn attempt(&self, place: u64) -> Option<&IndexedAttempt> {
        self.attempts.get(usize::try_from(place.checked_sub(1)?).ok()?)
    }

    /// The identifier of an attempt's query.
    pub(crate) fn query_of(&self, attempt: &IndexedAttempt) -> &str {
        self.by_query.get(attempt.query as usize).map_or("", |(id, _)| id)
    }

    /// The position of a query, if there is an attempt about it.
    pub(crate) fn query_position(&self, id: &str) -> Option<u32> {
        self.queries.get(id).copied()
    }

    /// The places of the attempts about a query, oldest first.
    pub(crate) fn places_about(&self, query: &str) -> &[u64] {
        let found = self.query_position(query).and_then(|at| self.by_query.get(at as usize));
        found.map_or(&[], |(_, places)| places)
    }

    /// The places of all attempts at the question of this one, by its judge.
    pub(crate) fn places_of_question(&self, attempt: &IndexedAttempt) -> Vec<u64> {
        let same = |place: &&u64| {
            self.attempt(**place)
                .is_some_and(|other| other.question == attempt.question && other.judge == attempt.judge)
        };
        self.places_about(self.query_of(attempt)).iter().filter(same).copied().collect()
    }
}
