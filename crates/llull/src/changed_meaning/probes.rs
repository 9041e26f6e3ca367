//! How near documents that probes change are to what they were.

use llull_encoder::{Encoded, Encoder};
use serde::Serialize;

use super::cosines::{MeaningKept, cosines};
use crate::error::StudyError;
use crate::evidence::StudyEvidence;
use crate::probes::JudgeProbe;
use crate::study::Study;

/// How near the documents that a probe has changed are to what they were.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProbeMeaning {
    /// The probe's name.
    pub probe: &'static str,
    /// How many documents it has changed.
    pub n: usize,
    /// Their cosines.
    #[serde(flatten)]
    pub kept: MeaningKept,
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
        (encoder, encoded): (&dyn Encoder, &mut dyn FnMut(Encoded)),
    ) -> Result<Vec<ProbeMeaning>, StudyError> {
        let changed = evidence.probed.iter().map(|probed| probed.changed_texts(&evidence.judges));
        let changed: Vec<(JudgeProbe, String, String)> = changed.flatten().collect();
        let texts: Vec<(&str, &str)> =
            changed.iter().map(|(_, before, after)| (before.as_str(), after.as_str())).collect();
        let cosines = cosines(self.folder(), (encoder, encoded), &texts)?;
        let of = |probe: JudgeProbe| {
            let own = changed.iter().zip(&cosines).filter(|((of, _, _), _)| *of == probe);
            let own: Vec<f64> = own.map(|(_, cosine)| *cosine).collect();
            Some(ProbeMeaning { probe: probe.name(), n: own.len(), kept: MeaningKept::of(&own)? })
        };
        Ok(JudgeProbe::ALL.into_iter().filter_map(of).collect())
    }
}
