//! The trait for reading a ledger.

use std::collections::{BTreeMap, BTreeSet};

use llull_core::{Attempt, GradedVerdict, JudgeSpec, Outcome, Verdict};

use crate::error::StoreError;
use crate::ledger_judge::{JudgeId, LedgerJudge};
use crate::ledger_loss::LedgerLoss;

/// The parts of each attempt that a [`scan`](LedgerReader::scan) reads. Other parts cost no time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// No reply, and only the grade of a graded verdict. Enough for labels and sums.
    Facts,
    /// Complete verdicts, with rationales and facets; no reply.
    Verdicts,
    /// Everything.
    Replies,
}

impl Detail {
    /// Returns an attempt with this part of it.
    pub(crate) fn part_of(self, mut attempt: Attempt) -> Attempt {
        if self < Self::Replies {
            attempt.answer.reply = None;
        }
        if self < Self::Verdicts
            && let Outcome::Judged { verdict: Verdict::Graded(verdict) } = &mut attempt.answer.outcome
        {
            *verdict = GradedVerdict { grade: verdict.grade, ..GradedVerdict::default() };
        }
        attempt
    }
}

/// Reads a ledger. Reading changes nothing, and another process may write at the same time.
pub trait LedgerReader: Send {
    /// Returns every registered judge, in order of registration.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read.
    fn judges(&self) -> Result<Vec<LedgerJudge>, StoreError>;

    /// Calls `each` with every attempt of `judges` (`None` for all judges), oldest first, until it returns an error.
    /// Takes one pass over the ledger for any number of judges.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read or is damaged, or the first error that `each` returns.
    fn scan(
        &self,
        judges: Option<&[JudgeId]>,
        detail: Detail,
        each: &mut dyn FnMut(JudgeId, Attempt) -> Result<(), StoreError>,
    ) -> Result<(), StoreError>;

    /// Returns the attempts that were recorded and are missing, if any are known.
    fn loss(&self) -> Option<LedgerLoss> {
        None
    }

    /// Returns the number of the judge with this specification, if it is registered.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read.
    fn find(&self, spec: &JudgeSpec) -> Result<Option<JudgeId>, StoreError> {
        let fingerprint = spec.fingerprint();
        let judges = self.judges()?;
        Ok(judges.into_iter().find(|judge| judge.spec.fingerprint() == fingerprint).map(|judge| judge.id))
    }

    /// Does what [`scan`](Self::scan) does with the attempts after the first `seen` of the ledger, and returns how
    /// many it has now. So a reader that follows a ledger reads no attempt twice.
    ///
    /// # Errors
    /// Returns the errors of [`scan`](Self::scan).
    fn follow(
        &self,
        seen: u64,
        judges: Option<&[JudgeId]>,
        detail: Detail,
        each: &mut dyn FnMut(JudgeId, Attempt) -> Result<(), StoreError>,
    ) -> Result<u64, StoreError> {
        let mut at = 0;
        self.scan(None, detail, &mut |judge, attempt| {
            at += 1;
            let wanted = at > seen && judges.is_none_or(|judges| judges.contains(&judge));
            if wanted { each(judge, attempt) } else { Ok(()) }
        })?;
        Ok(at)
    }

    /// Returns how many attempts the ledger has.
    ///
    /// # Errors
    /// Returns the errors of [`scan`](Self::scan).
    fn recorded(&self) -> Result<u64, StoreError> {
        self.follow(u64::MAX, None, Detail::Facts, &mut |_, _| Ok(()))
    }

    /// Calls `each` with the attempts at these places, in this order. Places are numbered from 1 in the order of
    /// recording; those that the ledger does not have are left out.
    ///
    /// # Errors
    /// Returns the errors of [`scan`](Self::scan).
    fn read_at(
        &self,
        places: &[u64],
        detail: Detail,
        each: &mut dyn FnMut(u64, JudgeId, Attempt) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let wanted: BTreeSet<u64> = places.iter().copied().collect();
        let (mut at, mut found) = (0, BTreeMap::new());
        self.scan(None, detail, &mut |judge, attempt| {
            at += 1;
            if wanted.contains(&at) {
                found.insert(at, (judge, attempt));
            }
            Ok(())
        })?;
        places.iter().try_for_each(|place| match found.get(place) {
            Some((judge, attempt)) => each(*place, *judge, attempt.clone()),
            None => Ok(()),
        })
    }
}
