//! A ledger that counts what is done with it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use llull::core::{Attempt, JudgeSpec};
use llull::store::{Detail, JudgeId, LedgerJudge, LedgerReader, LedgerWriter, MemoryLedger, StoreError};

/// How often which part of a ledger was used.
#[derive(Default)]
pub(crate) struct LedgerUse {
    passes: AtomicUsize,
    registered: AtomicUsize,
    appended: AtomicUsize,
}

impl LedgerUse {
    /// Returns how often the attempts were passed over.
    pub(crate) fn passes(&self) -> usize {
        self.passes.load(Ordering::Relaxed)
    }

    /// Returns how often something was written: a judge registered, or attempts appended.
    pub(crate) fn writes(&self) -> usize {
        self.registered.load(Ordering::Relaxed) + self.appended.load(Ordering::Relaxed)
    }
}

/// A ledger in memory that counts what is done with it.
#[derive(Default)]
pub(crate) struct CountingLedger {
    ledger: MemoryLedger,
    used: Arc<LedgerUse>,
}

impl CountingLedger {
    /// Returns a ledger to share, and what counts its use.
    pub(crate) fn shared() -> (Arc<Mutex<dyn LedgerWriter>>, Arc<LedgerUse>) {
        let ledger = Self::default();
        let used = Arc::clone(&ledger.used);
        (Arc::new(Mutex::new(ledger)), used)
    }
}

impl LedgerReader for CountingLedger {
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

impl LedgerWriter for CountingLedger {
    fn register(&mut self, name: &str, spec: &JudgeSpec) -> Result<JudgeId, StoreError> {
        self.used.registered.fetch_add(1, Ordering::Relaxed);
        self.ledger.register(name, spec)
    }

    fn append(&mut self, attempts: &[(JudgeId, Attempt)]) -> Result<(), StoreError> {
        self.used.appended.fetch_add(1, Ordering::Relaxed);
        self.ledger.append(attempts)
    }

    fn atomically(
        &mut self,
        work: &mut dyn FnMut(&mut dyn LedgerWriter) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.ledger.atomically(work)
    }
}

/// Returns every attempt of a shared ledger.
pub(crate) fn attempts(ledger: &Mutex<dyn LedgerWriter>) -> Vec<Attempt> {
    let mut attempts = Vec::new();
    let ledger = ledger.lock().unwrap();
    ledger
        .scan(None, Detail::Replies, &mut |_, attempt| {
            attempts.push(attempt);
            Ok(())
        })
        .unwrap();
    attempts
}
