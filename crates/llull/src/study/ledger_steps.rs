//! What a study's ledger says beyond the study as it is now.

use super::steps::Study;
use llull_core::{Attempt, JudgeSpec, Seed};
use llull_runner::Workload;
use llull_store::{Detail, JudgeId, LedgerJudge};

use crate::error::StudyError;
use crate::evidence::{PairAnswers, pair_answers};
use crate::inputs::reference_labels;
use crate::judging::{AskedPrompt, asked_prompt, features_asked};
use crate::known_judges::{KnownJudgeFigures, known_judges};
use crate::recorded_attempts::{RecordedAttempt, recorded_attempts};

impl Study {
    /// Returns every judge in the study's ledger, those of other rubrics, prompts and paradigms among them, in the
    /// order in which they were first asked. Agreement with people is held against the study's reference.
    ///
    /// # Errors
    /// Returns an error if there is no ledger, it cannot be read, or the reference cannot.
    pub fn known_judges(&self) -> Result<Vec<KnownJudgeFigures>, StudyError> {
        let reference = reference_labels(self.settings(), self.folder())?;
        Ok(known_judges(
            &self.ledger()?,
            reference.as_ref().map(|read| &read.value),
            Seed(self.settings().seed),
        )?)
    }

    /// Returns every judge in the study's ledger as it was registered; none without a ledger.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read.
    pub fn ledger_judges(&self) -> Result<Vec<LedgerJudge>, StudyError> {
        self.read_ledger(&mut |ledger| Ok(ledger.judges()?))
    }

    /// Calls `each` with the attempts in the study's ledger after the first `seen`, oldest first, without replies and
    /// rationales. Returns how many it has now.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read.
    pub fn follow_attempts(
        &self,
        seen: u64,
        each: &mut dyn FnMut(JudgeId, &Attempt),
    ) -> Result<u64, StudyError> {
        self.read_ledger(&mut |ledger| {
            Ok(ledger.follow(seen, None, Detail::Facts, &mut |judge, attempt| {
                each(judge, &attempt);
                Ok(())
            })?)
        })
    }

    /// Returns the attempts at these places of the study's ledger, numbered from 1 in the order of recording, in this
    /// order; those that it does not have are left out.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read.
    pub fn attempts_at(&self, places: &[u64], detail: Detail) -> Result<Vec<RecordedAttempt>, StudyError> {
        self.read_ledger(&mut |ledger| recorded_attempts(ledger, places, detail))
    }

    /// Returns what a judge was sent in an attempt, if that can be made again exactly. Nothing is asked.
    pub fn asked_prompt(&self, pooled: &Workload, then: &JudgeSpec, attempt: &Attempt) -> AskedPrompt {
        asked_prompt(self.settings(), self.folder(), pooled, then, attempt)
    }

    /// Returns what the judges of the study's ledger said of pairs, by feature.
    pub(crate) fn pair_answers(&self) -> Result<PairAnswers, StudyError> {
        let asked = features_asked(self.settings(), self.folder())?;
        self.read_ledger(&mut |ledger| pair_answers(ledger, &asked))
    }
}
