//! The seam: what the runner and the reports need of a ledger.

use std::sync::Arc;

use llull_core::{
    Attempt, ComparedVerdict, FailureKind, Grade, JudgeSpec, Outcome, Reason, TaskKey, Verdict,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{StoreError, Totals};

/// A judge's number in one ledger. Judges with one fingerprint have one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JudgeId(pub i64);

/// A judge as a ledger knows it.
#[derive(Debug, Clone, PartialEq)]
pub struct LedgerJudge {
    /// Its number in this ledger.
    pub id: JudgeId,
    /// The name under which it was first registered.
    pub name: String,
    /// What decides its answers.
    pub spec: JudgeSpec,
}

/// What the ledger knows of one task: its latest usable verdict, or how often the answer could not be read.
/// Failed attempts leave no trace here: they are asked again.
#[derive(Debug, Clone, PartialEq)]
pub enum Known {
    /// The latest verdict is this grade.
    Grade(Grade),
    /// The latest verdict is this order.
    Compared(Arc<ComparedVerdict>),
    /// Every answer so far was unusable.
    Unusable {
        /// The latest reason.
        reason: Reason,
        /// How many unusable answers there are.
        times: u32,
    },
}

impl Known {
    /// What is known after one more outcome. A verdict outlives any unusable answer before or after it, and
    /// a failure teaches nothing.
    pub fn after(before: Option<Self>, outcome: &Outcome) -> Option<Self> {
        match outcome {
            Outcome::Judged { verdict } => Some(verdict.into()),
            Outcome::Unusable(unusable) => Some(Self::after_unusable(before, unusable.reason)),
            Outcome::Failed(_) => before,
        }
    }

    pub(crate) fn after_unusable(before: Option<Self>, reason: Reason) -> Self {
        match before {
            Some(verdict @ (Self::Grade(_) | Self::Compared(_))) => verdict,
            Some(Self::Unusable { times, .. }) => Self::Unusable { reason, times: times.saturating_add(1) },
            None => Self::Unusable { reason, times: 1 },
        }
    }
}

impl From<&Verdict> for Known {
    fn from(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Graded(verdict) => Self::Grade(verdict.grade),
            Verdict::Compared(verdict) => Self::Compared(Arc::new(verdict.clone())),
        }
    }
}

/// An append-only store of attempts.
pub trait JudgmentStore: Send {
    /// The number of the judge with this fingerprint, which is registered if it is new.
    ///
    /// # Errors
    /// When the store cannot be read or written.
    fn register(&mut self, name: &str, spec: &JudgeSpec) -> Result<JudgeId, StoreError>;

    /// Every registered judge, in order of registration.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn judges(&self) -> Result<Vec<LedgerJudge>, StoreError>;

    /// All that is known of this judge's tasks.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn known(&self, judge: JudgeId) -> Result<FxHashMap<TaskKey, Known>, StoreError>;

    /// The latest failure of each of this judge's tasks that has failed. It says something only of a task that is not
    /// [known](Self::known): then nothing but failures came of it.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn failures(&self, judge: JudgeId) -> Result<FxHashMap<TaskKey, FailureKind>, StoreError>;

    /// The latest verdict, whole, of each of these tasks that has one. One pass over the ledger, however
    /// many are asked for.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn verdicts(
        &self,
        judge: JudgeId,
        keys: &FxHashSet<TaskKey>,
    ) -> Result<FxHashMap<TaskKey, Verdict>, StoreError>;

    /// Sums over all attempts: of one judge, if one is named, and at these tasks only, if they are given.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn totals(&self, judge: Option<JudgeId>, only: Option<&FxHashSet<TaskKey>>)
    -> Result<Totals, StoreError>;

    /// Appends attempts, all or none. When this returns they survive a crash (inside
    /// [`atomically`](Self::atomically), when that returns).
    ///
    /// # Errors
    /// When the store cannot be written, or a judge is not registered; then none of them is stored.
    fn append(&mut self, attempts: &[(JudgeId, Attempt)]) -> Result<(), StoreError>;

    /// Calls `each` with every attempt, oldest first, until it returns an error.
    ///
    /// # Errors
    /// When the store cannot be read, or the first error that `each` returns.
    fn for_each(
        &self,
        each: &mut dyn FnMut(JudgeId, Attempt) -> Result<(), StoreError>,
    ) -> Result<(), StoreError>;

    /// Does several things or none: when `work` returns an error, all that it registered and appended is undone.
    ///
    /// # Errors
    /// What `work` returns, or that the store cannot be written.
    fn atomically(
        &mut self,
        work: &mut dyn FnMut(&mut dyn JudgmentStore) -> Result<(), StoreError>,
    ) -> Result<(), StoreError>;
}
