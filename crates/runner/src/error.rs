//! Why a run could not be done.

use llull_store::StoreError;

use crate::evidence::EvidenceError;

/// Why a run could not be done. What was appended before is safe.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Evidence could not be gathered.
    #[error(transparent)]
    Evidence(#[from] EvidenceError),
    /// The judges could not be registered, before anything was asked.
    #[error("{0}")]
    Ledger(#[from] StoreError),
    /// Attempts could not be recorded, so the run stopped at once.
    #[error("{source}; the run stopped, and {lost} answers are not recorded and will be asked again")]
    Append {
        /// What the ledger says.
        source: StoreError,
        /// How many attempts that were made are not recorded, and how many were in flight.
        lost: usize,
    },
    /// Nobody would ask: the caller's thread records, and a runtime of the current thread has no other.
    #[error("judges are asked on threads of the runtime's own; build it with `Builder::new_multi_thread`")]
    OneThread,
}
