//! Leases: how several runs share the questions of one ledger.

use futures::future::BoxFuture;
use llull_core::{Attempt, TaskKey};

use crate::{JudgeId, StoreError};

/// The attempts of other runs, and the number of attempts of the ledger up to which these are all.
pub type OthersAttempts = (Vec<(JudgeId, Attempt)>, u64);

/// Leases of questions, for a ledger that several runs write to at once.
///
/// A run takes the lease of a question before it sends it, so that no other run pays for it meanwhile.
/// [Recording](crate::LedgerWriter::append) an attempt ends the lease. A run that dies soon loses its leases, and none
/// of its recorded attempts. So may one that hangs: its question is then answered twice, which a ledger allows.
pub trait Leases: Send + Sync {
    /// Takes the lease of a question, where the run knows the first `seen` attempts of the ledger. Returns whether it
    /// may send the question: no other run has its lease, or has recorded an attempt at it since.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be reached.
    fn take(&self, judge: JudgeId, key: TaskKey, seen: u64) -> BoxFuture<'_, Result<bool, StoreError>>;

    /// Returns the attempts of other runs after the first `seen` attempts of the ledger, oldest first, without replies.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be reached.
    fn recorded_by_others(&self, seen: u64) -> BoxFuture<'_, Result<OthersAttempts, StoreError>>;
}
