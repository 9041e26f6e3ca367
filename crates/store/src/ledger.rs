//! The seam: what the runner and the reports need of a ledger.

use llull_core::{Attempt, Grade, JudgeSpec, Reason, TaskKey};
use rustc_hash::FxHashMap;

use crate::StoreError;

/// A judge's number in one ledger. Judges with one fingerprint have one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JudgeId(pub i64);

/// What the ledger knows of one task: its latest usable verdict, or how often the answer could not be read.
/// Failed attempts leave no trace here: they are asked again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// The latest verdict is this grade.
    Grade(Grade),
    /// Every answer so far was unusable.
    Unusable {
        /// The latest reason.
        reason: Reason,
        /// How many unusable answers there are.
        times: u32,
    },
}

/// An append-only store of attempts.
pub trait JudgmentStore: Send {
    /// The number of the judge with this fingerprint, which is registered if it is new.
    ///
    /// # Errors
    /// When the store cannot be read or written.
    fn register(&mut self, name: &str, spec: &JudgeSpec) -> Result<JudgeId, StoreError>;

    /// All that is known of this judge's tasks.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn known(&self, judge: JudgeId) -> Result<FxHashMap<TaskKey, Known>, StoreError>;

    /// Appends attempts, all or none. When this returns they survive a crash.
    ///
    /// # Errors
    /// When the store cannot be written; then none of them is stored.
    fn append(&mut self, attempts: &[(JudgeId, Attempt)]) -> Result<(), StoreError>;

    /// Calls `each` with every attempt, oldest first, until it returns an error.
    ///
    /// # Errors
    /// When the store cannot be read, or the first error that `each` returns.
    fn for_each(
        &self,
        each: &mut dyn FnMut(JudgeId, Attempt) -> Result<(), StoreError>,
    ) -> Result<(), StoreError>;
}
