//! A ledger that a study shares with its test.

use std::sync::{Arc, Mutex};

use llull::core::Attempt;
use llull::store::{Detail, LedgerWriter};
use llull_testkit::{LedgerUse, WatchedLedger};

/// Returns a ledger to share, and what counts its use.
pub(crate) fn shared_ledger() -> (Arc<Mutex<dyn LedgerWriter>>, Arc<LedgerUse>) {
    let ledger = WatchedLedger::default();
    let used = ledger.used();
    (Arc::new(Mutex::new(ledger)), used)
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
