//! A ledger in memory, for tests and for trying things out. Nothing in it survives.

use llull_core::{Attempt, FailureKind, JudgeSpec, Outcome, TaskKey, Verdict};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{JudgeId, JudgmentStore, Known, LedgerJudge, StoreError, Totals, totals::Tally};

/// A ledger in memory.
#[derive(Debug, Clone, Default)]
pub struct MemoryLedger {
    judges: Vec<LedgerJudge>,
    attempts: Vec<(JudgeId, Attempt)>,
}

impl MemoryLedger {
    /// Every attempt, oldest first.
    pub fn attempts(&self) -> &[(JudgeId, Attempt)] {
        &self.attempts
    }

    fn of(&self, judge: JudgeId) -> impl Iterator<Item = &Attempt> {
        self.attempts.iter().filter(move |(id, _)| *id == judge).map(|(_, attempt)| attempt)
    }
}

impl JudgmentStore for MemoryLedger {
    fn register(&mut self, name: &str, spec: &JudgeSpec) -> Result<JudgeId, StoreError> {
        let fingerprint = spec.fingerprint();
        if let Some(judge) = self.judges.iter().find(|judge| judge.spec.fingerprint() == fingerprint) {
            return Ok(judge.id);
        }
        let id = JudgeId(self.judges.len() as i64 + 1);
        self.judges.push(LedgerJudge { id, name: name.to_owned(), spec: spec.clone() });
        Ok(id)
    }

    fn judges(&self) -> Result<Vec<LedgerJudge>, StoreError> {
        Ok(self.judges.clone())
    }

    fn known(&self, judge: JudgeId) -> Result<FxHashMap<TaskKey, Known>, StoreError> {
        let mut known = FxHashMap::default();
        for attempt in self.of(judge) {
            if let Some(after) = Known::after(known.remove(&attempt.key), &attempt.outcome) {
                known.insert(attempt.key, after);
            }
        }
        Ok(known)
    }

    fn failures(&self, judge: JudgeId) -> Result<FxHashMap<TaskKey, FailureKind>, StoreError> {
        let failed = |attempt: &Attempt| match &attempt.outcome {
            Outcome::Failed(failure) => Some((attempt.key, failure.kind)),
            Outcome::Judged { .. } | Outcome::Unusable(_) => None,
        };
        Ok(self.of(judge).filter_map(failed).collect())
    }

    fn verdicts(
        &self,
        judge: JudgeId,
        keys: &FxHashSet<TaskKey>,
    ) -> Result<FxHashMap<TaskKey, Verdict>, StoreError> {
        let wanted = self.of(judge).filter(|attempt| keys.contains(&attempt.key));
        Ok(wanted
            .filter_map(|attempt| match &attempt.outcome {
                Outcome::Judged { verdict } => Some((attempt.key, verdict.clone())),
                Outcome::Unusable(_) | Outcome::Failed(_) => None,
            })
            .collect())
    }

    fn totals(
        &self,
        judge: Option<JudgeId>,
        only: Option<&FxHashSet<TaskKey>>,
    ) -> Result<Totals, StoreError> {
        let mut tally = Tally::default();
        self.attempts
            .iter()
            .filter(|(id, _)| judge.is_none_or(|judge| judge == *id))
            .filter(|(_, attempt)| only.is_none_or(|keys| keys.contains(&attempt.key)))
            .for_each(|(_, attempt)| tally.add(attempt));
        Ok(tally.finish())
    }

    fn append(&mut self, attempts: &[(JudgeId, Attempt)]) -> Result<(), StoreError> {
        let registered = |id: JudgeId| self.judges.iter().any(|judge| judge.id == id);
        if let Some((stranger, _)) = attempts.iter().find(|(id, _)| !registered(*id)) {
            return Err(StoreError::UnknownJudge(*stranger));
        }
        self.attempts.extend_from_slice(attempts);
        Ok(())
    }

    fn for_each(
        &self,
        each: &mut dyn FnMut(JudgeId, Attempt) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.attempts.iter().try_for_each(|(judge, attempt)| each(*judge, attempt.clone()))
    }

    fn atomically(
        &mut self,
        work: &mut dyn FnMut(&mut dyn JudgmentStore) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let before = (self.judges.len(), self.attempts.len());
        let done = work(self);
        if done.is_err() {
            self.judges.truncate(before.0);
            self.attempts.truncate(before.1);
        }
        done
    }
}
