//! What a ledger holds of one judge, read in one pass.

use std::collections::BTreeSet;
use std::sync::Arc;

use llull_core::{Attempt, Outcome, Status, TaskKey};
use rustc_hash::FxHashMap;

use crate::{AttemptFacts, Detail, JudgeId, LedgerReader, StoreError, Tally, Totals};

/// Where a task stands in a [`JudgeLog`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskPlace(u32);

/// All attempts of one judge, folded by task: how each task stands, the words of its verdict, and what its attempts cost.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct JudgeLog {
    places: FxHashMap<TaskKey, TaskPlace>,
    /// By place.
    statuses: Vec<Status>,
    /// Whether rationales are kept.
    with_words: bool,
    /// Rationales of the latest verdicts that have one.
    rationales: FxHashMap<TaskPlace, Box<str>>,
    /// Every attempt with the place of its task, oldest first.
    attempts: Vec<(TaskPlace, AttemptFacts)>,
    /// The models that have answered, each once.
    models: BTreeSet<Arc<str>>,
}

impl JudgeLog {
    /// Reads what the ledger holds of these judges, in one pass over it: a log for each, in their order. A judge that is
    /// not in the ledger (`None`) has an empty log.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read or is damaged.
    pub fn read(
        ledger: &dyn LedgerReader,
        judges: &[Option<JudgeId>],
        detail: Detail,
    ) -> Result<Vec<Self>, StoreError> {
        let mut logs = vec![Self::new(detail); judges.len()];
        let known: Vec<JudgeId> = judges.iter().copied().flatten().collect();
        if !known.is_empty() {
            ledger.scan(Some(&known), detail, &mut |judge, attempt| {
                let of_judge = logs.iter_mut().zip(judges).filter(|(_, id)| **id == Some(judge));
                of_judge.for_each(|(log, _)| log.add(&attempt));
                Ok(())
            })?;
        }
        Ok(logs)
    }

    /// Returns an empty log, which keeps rationales if `detail` has them.
    pub fn new(detail: Detail) -> Self {
        Self { with_words: detail >= Detail::Verdicts, ..Self::default() }
    }

    /// Adds an attempt that is in the ledger.
    pub fn add(&mut self, attempt: &Attempt) {
        let place = self.place(attempt.key);
        if let Some(status) = self.statuses.get_mut(place.0 as usize) {
            *status = std::mem::take(status).after(&attempt.outcome);
        }
        if self.with_words
            && let Outcome::Judged { verdict } = &attempt.outcome
        {
            match verdict.rationale() {
                "" => self.rationales.remove(&place),
                words => self.rationales.insert(place, words.into()),
            };
        }
        self.attempts.push((place, AttemptFacts::of(attempt, &mut self.models)));
    }

    /// Returns the place of a task, which is added without an attempt if it is new.
    pub fn place(&mut self, key: TaskKey) -> TaskPlace {
        let next = TaskPlace(self.statuses.len() as u32);
        let place = *self.places.entry(key).or_insert(next);
        if place == next {
            self.statuses.push(Status::NotAsked);
        }
        place
    }

    /// Returns the place of a task, if the log has it.
    pub fn find(&self, key: &TaskKey) -> Option<TaskPlace> {
        self.places.get(key).copied()
    }

    /// Returns how the task at a place stands.
    pub fn status(&self, place: TaskPlace) -> &Status {
        self.statuses.get(place.0 as usize).unwrap_or(&Status::NotAsked)
    }

    /// Returns the rationale of a task's latest verdict, if it has one and it was read.
    pub fn rationale(&self, place: TaskPlace) -> Option<&str> {
        self.rationales.get(&place).map(|words| &**words)
    }

    /// Returns how many tasks the log has.
    pub fn len(&self) -> usize {
        self.statuses.len()
    }

    /// Returns whether the log has no task.
    pub fn is_empty(&self) -> bool {
        self.statuses.is_empty()
    }

    /// Adds up all attempts.
    pub fn totals(&self) -> Totals {
        self.sum(|_| true)
    }

    /// Adds up the attempts at these tasks.
    pub fn totals_of(&self, tasks: impl IntoIterator<Item = TaskPlace>) -> Totals {
        let mut wanted = vec![false; self.statuses.len()];
        for place in tasks {
            if let Some(wanted) = wanted.get_mut(place.0 as usize) {
                *wanted = true;
            }
        }
        self.sum(|place| wanted.get(place.0 as usize).copied().unwrap_or(false))
    }

    fn sum(&self, wanted: impl Fn(TaskPlace) -> bool) -> Totals {
        let mut tally = Tally::default();
        self.attempts.iter().filter(|(place, _)| wanted(*place)).for_each(|(_, attempt)| tally.add(attempt));
        tally.finish()
    }
}
