//! The trait for writing a ledger.

use std::sync::Arc;

use llull_core::{Attempt, JudgeSpec};

use crate::{JudgeId, Leases, LedgerReader, StoreError};

/// Appends to a ledger. Records are never changed or removed.
pub trait LedgerWriter: LedgerReader {
    /// Returns the number of the judge with this specification. Registers the judge as `name` if it is new.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read or written.
    fn register(&mut self, name: &str, spec: &JudgeSpec) -> Result<JudgeId, StoreError>;

    /// Appends all of `attempts` or none. They survive a crash once this has returned, or once
    /// [`atomically`](Self::atomically) has returned if this is called inside it.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be written or a judge is not registered. Nothing is stored then.
    fn append(&mut self, attempts: &[(JudgeId, Attempt)]) -> Result<(), StoreError>;

    /// Runs `work` in one transaction: if it returns an error, all that it registered and appended is undone.
    ///
    /// # Errors
    /// Returns the error of `work`, or an error if the ledger cannot be written.
    fn atomically(
        &mut self,
        work: &mut dyn FnMut(&mut dyn LedgerWriter) -> Result<(), StoreError>,
    ) -> Result<(), StoreError>;

    /// Returns the leases of questions, if several runs may write to the ledger at once.
    fn leases(&self) -> Option<Arc<dyn Leases>> {
        None
    }
}
