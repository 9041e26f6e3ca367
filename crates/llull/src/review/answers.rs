//! What people said of a queue's pairs, followed as the ledger grows.

use std::sync::Arc;

use llull_core::{Grade, Hash, Outcome, Scale, Verdict};
use llull_runner::{Case, HumanJudge, JudgeIdentity as _, Workload};
use llull_store::{Detail, JudgeId, LedgerReader, StoreError};
use rustc_hash::FxHashMap;

use super::item::QueuedItem;
use crate::people::AnswerRecord;

/// The pairs of a queue, and the rubric that they are graded under.
#[derive(Debug)]
pub(super) struct QueuedPairs {
    pub(super) pooled: Arc<Workload>,
    pub(super) items: Vec<QueuedItem>,
    pub(super) rubric: (Hash, Scale),
    /// Whether they were drawn by chance.
    pub(super) sampled: bool,
    /// The places in `items`, by query and document.
    by_pair: FxHashMap<(String, String), usize>,
}

impl QueuedPairs {
    pub(super) fn new(
        pooled: Arc<Workload>,
        items: Vec<QueuedItem>,
        rubric: (Hash, Scale),
        sampled: bool,
    ) -> Self {
        let mut by_pair = FxHashMap::default();
        for (at, item) in items.iter().enumerate() {
            if let Some(case) = pooled.case_at(item.place) {
                by_pair.insert((case.topic.id.clone(), case.document_id().to_owned()), at);
            }
        }
        Self { pooled, items, rubric, sampled, by_pair }
    }

    pub(super) fn case(&self, at: usize) -> Option<Case<'_>> {
        self.pooled.case_at(self.items.get(at)?.place)
    }

    /// The judge that a person is here.
    pub(super) fn judge(&self, person: &str) -> HumanJudge {
        HumanJudge::new(person, self.rubric.0, self.rubric.1)
    }
}

/// One answer of a person to a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GivenAnswer {
    pub(super) person: usize,
    /// `None` if the answer before was taken back.
    pub(super) grade: Option<Grade>,
    pub(super) note: String,
}

/// A person whose answers under this rubric are in the ledger.
#[derive(Debug)]
struct Person {
    name: String,
    id: JudgeId,
    judge: HumanJudge,
}

/// What people said.
#[derive(Debug, Default)]
pub(super) struct PeopleAnswers {
    people: Vec<Person>,
    /// How many attempts of the ledger were looked at.
    seen: u64,
    /// By pair of the queue, oldest first.
    given: Vec<Vec<GivenAnswer>>,
    /// The pairs of all answers, oldest first, with the person.
    order: Vec<(usize, usize)>,
}

impl PeopleAnswers {
    /// Reads what was added to the ledger.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    pub(super) fn refresh(
        &mut self,
        queued: &QueuedPairs,
        ledger: &dyn LedgerReader,
    ) -> Result<(), StoreError> {
        self.given.resize_with(queued.items.len(), Vec::new);
        loop {
            let judges = ledger.judges()?;
            self.meet(queued, &judges);
            let ids: Vec<JudgeId> = self.people.iter().map(|person| person.id).collect();
            let mut found = Vec::new();
            let seen = ledger.follow(self.seen, Some(&ids), Detail::Replies, &mut |judge, attempt| {
                let place = self.people.iter().position(|person| person.id == judge);
                found.extend(place.zip(Some(attempt)));
                Ok(())
            })?;
            // Somebody who was registered meanwhile may have answers among those that were passed.
            if ledger.judges()?.len() != judges.len() {
                continue;
            }
            self.seen = seen;
            for (person, attempt) in found {
                self.take(queued, person, &attempt);
            }
            return Ok(());
        }
    }

    fn meet(&mut self, queued: &QueuedPairs, judges: &[llull_store::LedgerJudge]) {
        for found in judges {
            let Some(name) = HumanJudge::person(&found.spec) else { continue };
            let judge = queued.judge(name);
            let known = self.people.iter().any(|person| person.id == found.id);
            if !known && judge.spec().fingerprint() == found.spec.fingerprint() {
                self.people.push(Person { name: name.to_owned(), id: found.id, judge });
            }
        }
    }

    fn take(&mut self, queued: &QueuedPairs, person: usize, attempt: &llull_core::Attempt) {
        let pair = (attempt.topic.clone(), attempt.document.clone());
        let Some(at) = queued.by_pair.get(&pair).copied().filter(|_| attempt.is_vote()) else { return };
        let (Some(case), Some(known)) = (queued.case(at), self.people.get(person)) else { return };
        let record = AnswerRecord::read(attempt.reply.as_deref());
        let sampled = record.as_ref().is_none_or(AnswerRecord::is_sampled);
        if known.judge.key(&case, 0) != attempt.key || sampled != queued.sampled {
            return;
        }
        let grade = match &attempt.outcome {
            Outcome::Judged { verdict: Verdict::Graded(verdict) } => Some(verdict.grade),
            Outcome::Failed(_) => return,
            _ => None,
        };
        let note = record.map(|record| record.note).unwrap_or_default();
        if let Some(given) = self.given.get_mut(at) {
            given.push(GivenAnswer { person, grade, note });
            self.order.push((at, person));
        }
    }

    fn person(&self, name: &str) -> Option<usize> {
        self.people.iter().position(|person| person.name == name)
    }

    fn of(&self, at: usize) -> &[GivenAnswer] {
        self.given.get(at).map_or(&[], Vec::as_slice)
    }

    /// The answer of a person that stands.
    pub(super) fn standing(&self, at: usize, person: &str) -> Option<&GivenAnswer> {
        let person = self.person(person)?;
        self.of(at).iter().rfind(|given| given.person == person).filter(|given| given.grade.is_some())
    }

    /// How often a person has answered a pair or taken an answer back.
    pub(super) fn times(&self, at: usize, person: &str) -> usize {
        let Some(person) = self.person(person) else { return 0 };
        self.of(at).iter().filter(|given| given.person == person).count()
    }

    /// How many others have an answer that stands.
    pub(super) fn others(&self, at: usize, person: &str) -> usize {
        let other = |other: &&Person| other.name != person && self.standing(at, &other.name).is_some();
        self.people.iter().filter(other).count()
    }

    /// The pair of a person's last answer that stands.
    pub(super) fn latest(&self, person: &str) -> Option<usize> {
        let number = self.person(person)?;
        let own = self.order.iter().rev().filter(|(_, who)| *who == number);
        own.map(|(at, _)| *at).find(|at| self.standing(*at, person).is_some())
    }

    /// Everybody who has an answer that stands, in order of name, with their number of pairs.
    pub(super) fn everybody(&self) -> Vec<(&str, usize)> {
        let pairs =
            |name: &str| (0..self.given.len()).filter(|at| self.standing(*at, name).is_some()).count();
        let named = self.people.iter().map(|person| (person.name.as_str(), pairs(&person.name)));
        let mut people: Vec<_> = named.filter(|(_, pairs)| *pairs > 0).collect();
        people.sort_unstable();
        people
    }
}
