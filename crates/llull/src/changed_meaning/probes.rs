//! How near documents that probes change are to what they were.

use llull_encoder::{Encoded, Encoder};
use llull_report::{MeaningKept, ProbeMeaning};

use super::cosines::cosines;
use crate::error::StudyError;
use crate::evidence::StudyEvidence;
use crate::probes::JudgeProbe;
use crate::study::Study;

/// The documents that judges were asked about with their text changed, as they were and as they were shown.
pub(super) struct ChangedTexts(Vec<(JudgeProbe, String, String)>);

impl ChangedTexts {
    pub(super) fn of(evidence: &StudyEvidence) -> Self {
        let changed = evidence.probed.iter().map(|probed| probed.changed_texts(&evidence.judges));
        Self(changed.flatten().collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether a probe has changed some of them.
    pub(super) fn are_of(&self, probe: JudgeProbe) -> bool {
        self.0.iter().any(|(of, _, _)| *of == probe)
    }

    pub(super) fn texts(&self) -> Vec<(&str, &str)> {
        self.0.iter().map(|(_, before, after)| (before.as_str(), after.as_str())).collect()
    }
}

/// Returns what cosines say of these documents, for each probe that has changed some.
pub(super) fn of_probes(ChangedTexts(changed): &ChangedTexts, cosines: &[Option<f64>]) -> Vec<ProbeMeaning> {
    let of = |probe: JudgeProbe| {
        let own = changed.iter().zip(cosines).filter(|((of, _, _), _)| *of == probe);
        let own: Vec<Option<f64>> = own.map(|(_, cosine)| *cosine).collect();
        let known: Vec<f64> = own.iter().copied().flatten().collect();
        (!own.is_empty()).then(|| ProbeMeaning {
            probe: probe.name().to_owned(),
            n: own.len(),
            kept: MeaningKept::of(&known),
            without_vector: own.len() - known.len(),
        })
    };
    JudgeProbe::ALL.into_iter().filter_map(of).collect()
}

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
