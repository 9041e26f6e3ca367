//! A ledger that counts passes and can fail.

use std::cell::Cell;

use llull_core::{Attempt, JudgeSpec};
use llull_store::{Detail, JudgeId, LedgerJudge, LedgerReader, LedgerWriter, MemoryLedger, StoreError};

/// A ledger in memory with room for a number of attempts, which counts the passes over it.
pub(crate) struct Watched {
    pub(crate) ledger: MemoryLedger,
    pub(crate) room: usize,
    /// The number of passes over the attempts.
    pub(crate) passes: Cell<u32>,
}

impl Default for Watched {
    fn default() -> Self {
        Self { ledger: MemoryLedger::default(), room: usize::MAX, passes: Cell::default() }
    }
}

impl LedgerReader for Watched {
    fn judges(&self) -> Result<Vec<LedgerJudge>, StoreError> {
        self.ledger.judges()
    }
    fn scan(
        &self,
        judges: Option<&[JudgeId]>,
        detail: Detail,
        each: &mut dyn FnMut(JudgeId, Attempt) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.passes.set(self.passes.get() + 1);
        self.ledger.scan(judges, detail, each)
    }
}

impl LedgerWriter for Watched {
    fn register(&mut self, name: &str, spec: &JudgeSpec) -> Result<JudgeId, StoreError> {
        self.ledger.register(name, spec)
    }
    fn append(&mut self, attempts: &[(JudgeId, Attempt)]) -> Result<(), StoreError> {
        if self.ledger.attempts().len() + attempts.len() > self.room {
            return Err(StoreError::Full { path: "ledger".into() });
        }
        self.ledger.append(attempts)
    }
    fn atomically(
        &mut self,
        work: &mut dyn FnMut(&mut dyn LedgerWriter) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.ledger.atomically(work)
    }
}
