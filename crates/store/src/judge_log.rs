//! What a ledger holds of one judge, read in one pass.

use std::collections::BTreeSet;
use std::sync::Arc;

use llull_core::{Attempt, Outcome, Status, TaskKey};
use rustc_hash::FxHashMap;

use crate::{AttemptFacts, Detail, JudgeId, LedgerReader, StoreError, Tally, Totals};

/// All attempts of one judge, folded by task: how each task stands, the words of its verdict, and what its attempts cost.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct JudgeLog {
    places: FxHashMap<TaskKey, u32>,
    /// By place.
    statuses: Vec<Status>,
    /// Rationales of the latest verdicts that have one, by place.
    rationales: FxHashMap<u32, Box<str>>,
    /// Every attempt with the place of its task, oldest first.
    attempts: Vec<(u32, AttemptFacts)>,
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
        let mut logs = vec![Self::default(); judges.len()];
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

    /// Adds an attempt that is in the ledger.
    pub fn add(&mut self, attempt: &Attempt) {
        let next = self.statuses.len() as u32;
        let place = *self.places.entry(attempt.key).or_insert(next);
        if place == next {
            self.statuses.push(Status::NotAsked);
        }
        if let Some(status) = self.statuses.get_mut(place as usize) {
            *status = std::mem::take(status).after(&attempt.outcome);
        }
        if let Outcome::Judged { verdict } = &attempt.outcome {
            match verdict.rationale() {
                "" => self.rationales.remove(&place),
                words => self.rationales.insert(place, words.into()),
            };
        }
        self.attempts.push((place, AttemptFacts::of(attempt, &mut self.models)));
    }

    /// Returns how a task stands.
    pub fn status(&self, key: &TaskKey) -> Status {
        let place = self.places.get(key);
        place.and_then(|place| self.statuses.get(*place as usize)).cloned().unwrap_or_default()
    }

    /// Returns the rationale of a task's latest verdict, if it has one and it was read.
    pub fn rationale(&self, key: &TaskKey) -> Option<&str> {
        self.rationales.get(self.places.get(key)?).map(|words| &**words)
    }

    /// Returns how many tasks have been attempted.
    pub fn len(&self) -> usize {
        self.statuses.len()
    }

    /// Returns whether there is no attempt.
    pub fn is_empty(&self) -> bool {
        self.statuses.is_empty()
    }

    /// Adds up all attempts.
    pub fn totals(&self) -> Totals {
        self.sum(|_| true)
    }

    /// Adds up the attempts at these tasks.
    pub fn totals_of<'a>(&self, tasks: impl IntoIterator<Item = &'a TaskKey>) -> Totals {
        let mut wanted = vec![false; self.statuses.len()];
        for place in tasks.into_iter().filter_map(|key| self.places.get(key)) {
            if let Some(wanted) = wanted.get_mut(*place as usize) {
                *wanted = true;
            }
        }
        self.sum(|place| wanted.get(place as usize).copied().unwrap_or(false))
    }

    fn sum(&self, wanted: impl Fn(u32) -> bool) -> Totals {
        let mut tally = Tally::default();
        self.attempts.iter().filter(|(place, _)| wanted(*place)).for_each(|(_, attempt)| tally.add(attempt));
        tally.finish()
    }
}
