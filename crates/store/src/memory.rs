//! A ledger in memory, for tests and experiments. It is not saved anywhere.

use llull_core::{Attempt, JudgeSpec};

use crate::{Detail, JudgeId, LedgerJudge, LedgerReader, LedgerWriter, StoreError};

/// A ledger in memory.
#[derive(Debug, Clone, Default)]
pub struct MemoryLedger {
    judges: Vec<LedgerJudge>,
    attempts: Vec<(JudgeId, Attempt)>,
}

impl MemoryLedger {
    /// Returns all attempts, oldest first.
    pub fn attempts(&self) -> &[(JudgeId, Attempt)] {
        &self.attempts
    }
}

impl LedgerReader for MemoryLedger {
    fn judges(&self) -> Result<Vec<LedgerJudge>, StoreError> {
        Ok(self.judges.clone())
    }

    fn scan(
        &self,
        judges: Option<&[JudgeId]>,
        detail: Detail,
        each: &mut dyn FnMut(JudgeId, Attempt) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let wanted = |(id, _): &&(JudgeId, Attempt)| judges.is_none_or(|judges| judges.contains(id));
        let mut wanted = self.attempts.iter().filter(wanted);
        wanted.try_for_each(|(id, attempt)| each(*id, detail.part_of(attempt.clone())))
    }
}

impl LedgerWriter for MemoryLedger {
    fn register(&mut self, name: &str, spec: &JudgeSpec) -> Result<JudgeId, StoreError> {
        let fingerprint = spec.fingerprint();
        if let Some(judge) = self.judges.iter().find(|judge| judge.spec.fingerprint() == fingerprint) {
            return Ok(judge.id);
        }
        let id = JudgeId(self.judges.len() as i64 + 1);
        self.judges.push(LedgerJudge { id, name: name.to_owned(), spec: spec.clone() });
        Ok(id)
    }

    fn append(&mut self, attempts: &[(JudgeId, Attempt)]) -> Result<(), StoreError> {
        let registered = |id: JudgeId| self.judges.iter().any(|judge| judge.id == id);
        if let Some((stranger, _)) = attempts.iter().find(|(id, _)| !registered(*id)) {
            return Err(StoreError::UnknownJudge(*stranger));
        }
        self.attempts.extend_from_slice(attempts);
        Ok(())
    }

    fn atomically(
        &mut self,
        work: &mut dyn FnMut(&mut dyn LedgerWriter) -> Result<(), StoreError>,
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
