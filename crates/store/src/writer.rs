//! The writing seam: what a run needs of a ledger beyond reading it.

use llull_core::{Attempt, JudgeSpec};

use crate::{JudgeId, LedgerReader, StoreError};

/// Appends to a ledger. Nothing is ever changed or removed.
pub trait LedgerWriter: LedgerReader {
    /// Returns the number of the judge with this specification, which is registered under `name` if it is new.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read or written.
    fn register(&mut self, name: &str, spec: &JudgeSpec) -> Result<JudgeId, StoreError>;

    /// Appends attempts, all or none. When this returns they survive a crash (inside
    /// [`atomically`](Self::atomically), when that returns).
    ///
    /// # Errors
    /// Returns an error, and stores none of them, if the ledger cannot be written or a judge is not registered.
    fn append(&mut self, attempts: &[(JudgeId, Attempt)]) -> Result<(), StoreError>;

    /// Does several things or none: if `work` returns an error, all that it registered and appended is undone.
    ///
    /// # Errors
    /// Returns the error of `work`, or an error if the ledger cannot be written.
    fn atomically(
        &mut self,
        work: &mut dyn FnMut(&mut dyn LedgerWriter) -> Result<(), StoreError>,
    ) -> Result<(), StoreError>;
}
