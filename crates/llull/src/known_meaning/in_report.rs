//! What is known of how near changed texts are to what they were, without an encoder.

use llull_report::ChangedMeaning;

use super::cosines::known_cosines;
use super::paraphrases::{Reworded, of_paraphrases};
use super::probes::{ChangedTexts, of_probes};
use crate::config::Settings;
use crate::error::StudyError;
use crate::evidence::StudyEvidence;
use crate::folder::Folder;
use crate::inputs::Inputs;
use crate::probes::JudgeProbe;
use crate::saved::known_vectors;

/// Returns how near the texts that judges were probed with are to what they were, by the vectors that the study's
/// encoder made when they were asked; `None` if the study names no encoder, or judges were not probed with changed
/// texts.
///
/// # Errors
/// Returns an error if kept vectors cannot be read.
pub(crate) fn known_meaning(
    settings: &Settings,
    folder: &Folder,
    inputs: &Inputs,
    evidence: &StudyEvidence,
) -> Result<Option<ChangedMeaning>, StudyError> {
    let Some(encoder) = &settings.contamination.encoder else { return Ok(None) };
    let changed = ChangedTexts::of(evidence);
    if changed.is_empty() {
        return Ok(None);
    }
    let reworded = changed.are_of(JudgeProbe::Contamination).then(|| Reworded::of(inputs)).flatten();
    let kept = known_vectors(folder, encoder)?;
    let cosines = |pairs: &[(&str, &str)]| known_cosines(&kept, pairs);
    let paraphrases = reworded.map(|pairs| {
        let cosines = cosines(&pairs.texts());
        of_paraphrases(pairs, &cosines, settings.contamination.least_cosine()).0
    });
    let probes = of_probes(&changed, &cosines(&changed.texts()));
    Ok(Some(ChangedMeaning { encoder: encoder.clone(), paraphrases, changed: probes }))
}
