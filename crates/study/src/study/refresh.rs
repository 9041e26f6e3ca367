//! Rereads the evidence of a growing ledger.
//!
//! Unchanging inputs are read once.

use llull_store::LedgerReader;

use super::steps::Study;
use crate::error::StudyError;
use crate::evidence::StudyEvidence;
use crate::inputs::{Inputs, StudyTexts};
use crate::judging::{read_evidence_with, read_texts};

impl Study {
    /// Reads the texts of the pool, for [`evidence_with`](Self::evidence_with).
    ///
    /// # Errors
    /// Returns an error if there is no judge, or the corpus lacks a document that one reads.
    pub fn texts(&self, inputs: &Inputs) -> Result<StudyTexts, StudyError> {
        Ok(read_texts(self.settings(), self.folder(), inputs)?)
    }

    /// Reads the evidence as [`evidence`](Self::evidence) does, but no text: for callers that read a growing ledger
    /// again.
    ///
    /// # Errors
    /// Returns an error if a judge is invalid, or the ledger cannot be read.
    pub fn evidence_with(&self, inputs: &Inputs, texts: &StudyTexts) -> Result<StudyEvidence, StudyError> {
        let (settings, folder) = (self.settings(), self.folder());
        let read = |ledger: &dyn LedgerReader| {
            read_evidence_with(settings, folder, (inputs, texts.0.clone()), ledger)
        };
        self.read_ledger(&mut |ledger| Ok(read(ledger)?))
    }
}
