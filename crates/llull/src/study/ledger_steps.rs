//! What a study's ledger says beyond the study as it is now.

use super::steps::Study;
use llull_core::Seed;

use crate::error::StudyError;
use crate::evidence::{PairAnswers, pair_answers};
use crate::inputs::reference_labels;
use crate::judging::features_asked;
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

    /// Returns every attempt in the study's ledger at a question about a query, oldest first, with its reply; none
    /// without a ledger.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read.
    pub fn attempts_about(&self, query: &str) -> Result<Vec<RecordedAttempt>, StudyError> {
        self.read_ledger(&mut |ledger| recorded_attempts(ledger, query))
    }

    /// Returns what the judges of the study's ledger said of pairs, by feature.
    pub(crate) fn pair_answers(&self) -> Result<PairAnswers, StudyError> {
        let asked = features_asked(self.settings(), self.folder())?;
        self.read_ledger(&mut |ledger| pair_answers(ledger, &asked))
    }
}
