//! The reading seam: what everything below the ledger line needs of a ledger.

use llull_core::{Attempt, JudgeSpec};

use crate::StoreError;

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

/// How much of each attempt a [`scan`](LedgerReader::scan) reads. What is left out costs no time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// Everything but words: no reply, and of a graded verdict the grade alone. Enough for labels and sums.
    Facts,
    /// Verdicts whole, with explanations and facets; no reply.
    Verdicts,
    /// Everything.
    Replies,
}

/// Reads a ledger. Nothing is changed by it, and it may be read while another process writes.
pub trait LedgerReader: Send {
    /// Returns every registered judge, in order of registration.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read.
    fn judges(&self) -> Result<Vec<LedgerJudge>, StoreError>;

    /// Calls `each` with every attempt of these judges, or of all, oldest first, until it returns an error. One pass over
    /// the ledger, however many judges there are.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read or is damaged, or the first error that `each` returns.
    fn scan(
        &self,
        judges: Option<&[JudgeId]>,
        detail: Detail,
        each: &mut dyn FnMut(JudgeId, Attempt) -> Result<(), StoreError>,
    ) -> Result<(), StoreError>;

    /// Returns the number of the judge with this specification, if it is registered.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read.
    fn find(&self, spec: &JudgeSpec) -> Result<Option<JudgeId>, StoreError> {
        let fingerprint = spec.fingerprint();
        let judges = self.judges()?;
        Ok(judges.into_iter().find(|judge| judge.spec.fingerprint() == fingerprint).map(|judge| judge.id))
    }
}
