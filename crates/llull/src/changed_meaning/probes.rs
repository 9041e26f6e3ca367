//! How near documents that probes change are to what they were.

use llull_encoder::{Encoded, Encoder};
use llull_report::ProbeMeaning;

use super::cosines::cosines;
use crate::error::StudyError;
use crate::evidence::StudyEvidence;
use crate::known_meaning::{ChangedTexts, of_probes};
use crate::study::Study;

impl Study {
    /// Returns how near the documents that judges were asked about with their text changed are to what they were, for
    /// each probe that changes documents. Vectors are kept with the study.
    ///
    /// # Errors
    /// Returns an error if texts cannot be encoded, or vectors cannot be kept.
    pub fn probe_meanings(
        &self,
        evidence: &StudyEvidence,
        encoder: (&dyn Encoder, &mut dyn FnMut(Encoded)),
    ) -> Result<Vec<ProbeMeaning>, StudyError> {
        let changed = ChangedTexts::of(evidence);
        let cosines = cosines(self.folder(), encoder, &changed.texts())?;
        Ok(of_probes(&changed, &cosines))
    }
}
