//! A ledger that is looked over the shoulder.

use std::cell::Cell;

use llull_core::{Attempt, FailureKind, JudgeSpec, TaskKey, Verdict};
use llull_store::{JudgeId, JudgmentStore, Known, LedgerJudge, MemoryLedger, StoreError, Totals};
use rustc_hash::{FxHashMap, FxHashSet};

/// A ledger in memory with room for so many attempts, which counts how often it is read.
pub(crate) struct Watched {
    pub(crate) ledger: MemoryLedger,
    pub(crate) room: usize,
    /// How often all that is known of a judge was read.
    pub(crate) reads: Cell<u32>,
}

impl Default for Watched {
    fn default() -> Self {
        Self { ledger: MemoryLedger::default(), room: usize::MAX, reads: Cell::default() }
    }
}

impl JudgmentStore for Watched {
    fn register(&mut self, name: &str, spec: &JudgeSpec) -> Result<JudgeId, StoreError> {
        self.ledger.register(name, spec)
    }
    fn judges(&self) -> Result<Vec<LedgerJudge>, StoreError> {
        self.ledger.judges()
    }
    fn known(&self, judge: JudgeId) -> Result<FxHashMap<TaskKey, Known>, StoreError> {
        self.reads.set(self.reads.get() + 1);
        self.ledger.known(judge)
    }
    fn failures(&self, judge: JudgeId) -> Result<FxHashMap<TaskKey, FailureKind>, StoreError> {
        self.ledger.failures(judge)
    }
    fn verdicts(
        &self,
        judge: JudgeId,
        keys: &FxHashSet<TaskKey>,
    ) -> Result<FxHashMap<TaskKey, Verdict>, StoreError> {
        self.ledger.verdicts(judge, keys)
    }
    fn totals(
        &self,
        judge: Option<JudgeId>,
        only: Option<&FxHashSet<TaskKey>>,
    ) -> Result<Totals, StoreError> {
        self.ledger.totals(judge, only)
    }
    fn append(&mut self, attempts: &[(JudgeId, Attempt)]) -> Result<(), StoreError> {
        if self.ledger.attempts().len() + attempts.len() > self.room {
            return Err(StoreError::Full { path: "ledger".into() });
        }
        self.ledger.append(attempts)
    }
    fn for_each(
        &self,
        each: &mut dyn FnMut(JudgeId, Attempt) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.ledger.for_each(each)
    }
    fn atomically(
        &mut self,
        work: &mut dyn FnMut(&mut dyn JudgmentStore) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.ledger.atomically(work)
    }
}
