//! All attempts of one judge, read in one pass over the ledger.

use std::collections::BTreeSet;
use std::sync::Arc;

use llull_core::{AskAgain, Attempt, FIRST_RECHECK, Outcome, Status, TaskKey, Verdict};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{AttemptFacts, Detail, JudgeId, LedgerReader, StoreError, Tally, Totals};

/// The position of a task in a [`JudgeLog`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskPlace(u32);

/// All attempts of one judge, grouped by task: the status of each task, the rationale of its verdict and the cost of
/// its attempts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct JudgeLog {
    places: FxHashMap<TaskKey, TaskPlace>,
    /// The status of each task, by place.
    statuses: Vec<Status>,
    /// Whether the log includes rationales and facets.
    with_rationales: bool,
    /// The rationale of each task's latest verdict, if it has one.
    rationales: FxHashMap<TaskPlace, Box<str>>,
    /// The facets of each task's latest verdict, if it has any: those covered, and those missing.
    facets: FxHashMap<TaskPlace, Box<[Vec<String>; 2]>>,
    /// All attempts with the places of their tasks, oldest first.
    attempts: Vec<(TaskPlace, AttemptFacts)>,
    /// The number of tasks that repeat a question, not for a vote.
    rechecked: usize,
    /// The number of tasks about something that was changed.
    probed: usize,
    /// The names of the models that have answered, each once.
    models: BTreeSet<Arc<str>>,
}

impl JudgeLog {
    /// Reads the logs of several judges in one pass over the ledger. Returns a log for each, in the order of
    /// `judges`; a judge that is not in the ledger (`None`) has an empty log.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read or is damaged.
    pub fn read(
        ledger: &dyn LedgerReader,
        judges: &[Option<JudgeId>],
        detail: Detail,
    ) -> Result<Vec<Self>, StoreError> {
        Self::read_altered(ledger, judges, (detail, detail), &mut |_, _| ())
    }

    /// Reads the logs as [`read`](Self::read) does. The first detail is the part of each attempt that is read, the
    /// second the part that is stored. `alter` is called with each attempt and its judge's position before the attempt
    /// is added.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read or is damaged.
    pub fn read_altered(
        ledger: &dyn LedgerReader,
        judges: &[Option<JudgeId>],
        (read, kept): (Detail, Detail),
        alter: &mut dyn FnMut(usize, &mut Attempt),
    ) -> Result<Vec<Self>, StoreError> {
        let mut logs = vec![Self::new(kept); judges.len()];
        let known: Vec<JudgeId> = judges.iter().copied().flatten().collect();
        if !known.is_empty() {
            ledger.scan(Some(&known), read, &mut |judge, mut attempt| {
                let of_judge = logs.iter_mut().zip(judges).enumerate();
                for (at, (log, _)) in of_judge.filter(|(_, (_, id))| **id == Some(judge)) {
                    alter(at, &mut attempt);
                    log.add(&attempt);
                }
                Ok(())
            })?;
        }
        Ok(logs)
    }

    /// Creates an empty log. It keeps rationales and facets if `detail` includes them.
    pub fn new(detail: Detail) -> Self {
        Self { with_rationales: detail >= Detail::Verdicts, ..Self::default() }
    }

    /// Adds an attempt that is in the ledger.
    pub fn add(&mut self, attempt: &Attempt) {
        let place = self.place(attempt.key);
        if self.status(place) == &Status::NotAsked {
            self.rechecked += usize::from(attempt.sample == FIRST_RECHECK);
            self.probed += usize::from(attempt.sample > FIRST_RECHECK);
        }
        if let Some(status) = self.statuses.get_mut(place.0 as usize) {
            *status = std::mem::take(status).after(&attempt.answer.outcome);
        }
        if self.with_rationales
            && let Outcome::Judged { verdict } = &attempt.answer.outcome
        {
            match verdict.rationale() {
                "" => self.rationales.remove(&place),
                rationale => self.rationales.insert(place, rationale.into()),
            };
            match verdict {
                Verdict::Graded(graded)
                    if !(graded.facets_covered.is_empty() && graded.facets_missing.is_empty()) =>
                {
                    let facets = [graded.facets_covered.clone(), graded.facets_missing.clone()];
                    self.facets.insert(place, Box::new(facets));
                }
                _ => drop(self.facets.remove(&place)),
            }
        }
        self.attempts.push((place, AttemptFacts::of(attempt, &mut self.models)));
    }

    /// Returns the place of a task. Adds the task without an attempt if it is new.
    pub fn place(&mut self, key: TaskKey) -> TaskPlace {
        let next = TaskPlace(self.statuses.len() as u32);
        let place = *self.places.entry(key).or_insert(next);
        if place == next {
            self.statuses.push(Status::NotAsked);
        }
        place
    }

    /// Returns the place of a task, if it is in the log.
    pub fn find(&self, key: &TaskKey) -> Option<TaskPlace> {
        self.places.get(key).copied()
    }

    /// Returns the status of the task at a place.
    pub fn status(&self, place: TaskPlace) -> &Status {
        self.statuses.get(place.0 as usize).unwrap_or(&Status::NotAsked)
    }

    /// Returns the number of attempts at each task that has some.
    pub fn attempt_counts(&self) -> FxHashMap<TaskPlace, u32> {
        let mut counts = FxHashMap::default();
        self.attempts.iter().for_each(|(place, _)| *counts.entry(*place).or_default() += 1);
        counts
    }

    /// Returns the rationale of a task's latest verdict, if it has one and it was read.
    pub fn rationale(&self, place: TaskPlace) -> Option<&str> {
        self.rationales.get(&place).map(|rationale| &**rationale)
    }

    /// Returns the facets of a task's latest verdict, those covered and those missing, if it has any and they were
    /// read.
    pub fn facets(&self, place: TaskPlace) -> Option<&[Vec<String>; 2]> {
        self.facets.get(&place).map(|facets| &**facets)
    }

    /// Treats tasks as open whose questions are repeated, so that they are sent.
    pub fn forget(&mut self, answers: AskAgain) {
        let is_later = |attempt: &AttemptFacts| attempt.is_unusable() && attempt.at_ms() >= answers.before_ms;
        let later = self.attempts.iter().filter(|(_, attempt)| is_later(attempt));
        let later: FxHashSet<TaskPlace> = later.map(|(place, _)| *place).collect();
        for (place, status) in (0..).map(TaskPlace).zip(&mut self.statuses) {
            if answers.includes(status) && !later.contains(&place) {
                *status = Status::NotAsked;
            }
        }
    }

    /// Returns the number of tasks in the log.
    pub fn len(&self) -> usize {
        self.statuses.len()
    }

    /// Returns whether the log has no tasks.
    pub fn is_empty(&self) -> bool {
        self.statuses.is_empty()
    }

    /// Returns the number of tasks that repeat a question, [not for a vote](FIRST_RECHECK).
    pub fn rechecked(&self) -> usize {
        self.rechecked
    }

    /// Returns the number of tasks with a changed text, which probe the features that the judge's answers depend on:
    /// those with a sample index above [`FIRST_RECHECK`].
    pub fn probed(&self) -> usize {
        self.probed
    }

    /// Returns for each of these tasks the most tokens of its prompt that the server reported, and the estimated tokens
    /// that were cut from its documents; `None` where no tokens were reported.
    pub fn prompt_tokens(
        &self,
        tasks: impl IntoIterator<Item = Option<TaskPlace>>,
    ) -> Vec<Option<(u64, u32)>> {
        let mut reported = vec![None; self.statuses.len()];
        for (place, attempt) in &self.attempts {
            if let Some(most) = reported.get_mut(place.0 as usize) {
                *most = attempt.prompt_tokens().max(*most);
            }
        }
        let of = |place: TaskPlace| reported.get(place.0 as usize).copied().flatten();
        tasks.into_iter().map(|task| task.and_then(of)).collect()
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

    /// Adds the attempts at these tasks to a sum.
    pub fn add_to(&self, tally: &mut Tally, tasks: impl IntoIterator<Item = TaskPlace>) {
        let wanted: FxHashSet<TaskPlace> = tasks.into_iter().collect();
        let of_these = self.attempts.iter().filter(|(place, _)| wanted.contains(place));
        of_these.for_each(|(_, attempt)| tally.add(attempt));
    }

    fn sum(&self, wanted: impl Fn(TaskPlace) -> bool) -> Totals {
        let mut tally = Tally::default();
        self.attempts.iter().filter(|(place, _)| wanted(*place)).for_each(|(_, attempt)| tally.add(attempt));
        tally.finish()
    }
}
