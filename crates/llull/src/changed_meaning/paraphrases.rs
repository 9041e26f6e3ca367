//! Whether queries that are worded anew mean what they meant.

use llull_encoder::{Encoded, Encoder};
use llull_report::ParaphraseMeaning;

use super::cosines::cosines;
use crate::error::StudyError;
use crate::inputs::Inputs;
use crate::known_meaning::{Reworded, of_paraphrases};
use crate::study::Study;

impl Study {
    /// Takes those queries out of the inputs' paraphrases that mean something else than the study's: a judge that
    /// answers them otherwise would not have forgotten anything. They are left out, not refused, so that the others can
    /// be asked about; who asks should name them. Vectors are kept with the study. `None` if there are no paraphrases.
    ///
    /// # Errors
    /// Returns an error if texts cannot be encoded, or vectors cannot be kept.
    pub fn keep_near_paraphrases(
        &self,
        inputs: &mut Inputs,
        threshold: f64,
        encoder: (&dyn Encoder, &mut dyn FnMut(Encoded)),
    ) -> Result<Option<ParaphraseMeaning>, StudyError> {
        let Some(pairs) = Reworded::of(inputs) else { return Ok(None) };
        let cosines = cosines(self.folder(), encoder, &pairs.texts())?;
        let (found, near) = of_paraphrases(pairs, &cosines, threshold);
        inputs.paraphrases = Some(near);
        Ok(Some(found))
    }
}
