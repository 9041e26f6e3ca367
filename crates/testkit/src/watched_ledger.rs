//! A ledger that counts its use, and can be full.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use llull_core::{Attempt, JudgeSpec};
use llull_store::{Detail, JudgeId, LedgerJudge, LedgerReader, LedgerWriter, MemoryLedger, StoreError};

/// A ledger in memory that counts its use, and has room for a number of attempts.
#[derive(Debug)]
pub struct WatchedLedger {
    ledger: MemoryLedger,
    room: usize,
    used: Arc<LedgerUse>,
}

/// How often which part of a ledger was used.
#[derive(Debug, Default)]
pub struct LedgerUse {
    passes: AtomicUsize,
    writes: AtomicUsize,
}

impl LedgerUse {
    /// Returns the number of passes over the attempts.
    pub fn passes(&self) -> usize {
        self.passes.load(Ordering::Relaxed)
    }

    /// Returns how often something was written: a judge registered, or attempts appended.
    pub fn writes(&self) -> usize {
        self.writes.load(Ordering::Relaxed)
    }
}

impl WatchedLedger {
    /// Creates an empty ledger with room for this many attempts. Appending more fails, as on a full disk.
    pub fn with_room(room: usize) -> Self {
        Self { ledger: MemoryLedger::default(), room, used: Arc::default() }
    }

    /// Returns the counts, which are updated by later use.
    pub fn used(&self) -> Arc<LedgerUse> {
        Arc::clone(&self.used)
    }

    /// Returns all attempts, oldest first, which is not counted.
    pub fn attempts(&self) -> &[(JudgeId, Attempt)] {
        self.ledger.attempts()
    }
}

impl Default for WatchedLedger {
    fn default() -> Self {
        Self::with_room(usize::MAX)
    }
}

impl LedgerReader for WatchedLedger {
    fn judges(&self) -> Result<Vec<LedgerJudge>, StoreError> {
        self.ledger.judges()
    }

    fn scan(
        &self,
        judges: Option<&[JudgeId]>,
        detail: Detail,
        each: &mut dyn FnMut(JudgeId, Attempt) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.used.passes.fetch_add(1, Ordering::Relaxed);
        self.ledger.scan(judges, detail, each)
    }
}

impl LedgerWriter for WatchedLedger {
    fn register(&mut self, name: &str, spec: &JudgeSpec) -> Result<JudgeId, StoreError> {
        self.used.writes.fetch_add(1, Ordering::Relaxed);
        self.ledger.register(name, spec)
    }

    fn append(&mut self, attempts: &[(JudgeId, Attempt)]) -> Result<(), StoreError> {
        self.used.writes.fetch_add(1, Ordering::Relaxed);
        if self.attempts().len() + attempts.len() > self.room {
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
