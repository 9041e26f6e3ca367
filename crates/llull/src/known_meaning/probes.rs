//! What cosines say of documents that probes change.

use llull_report::{MeaningKept, ProbeMeaning};

use crate::evidence::StudyEvidence;
use crate::probes::JudgeProbe;

/// The documents that judges were asked about with their text changed, as they were and as they were shown.
pub(crate) struct ChangedTexts(Vec<(JudgeProbe, String, String)>);

impl ChangedTexts {
    pub(crate) fn of(evidence: &StudyEvidence) -> Self {
        let changed = evidence.probed.iter().map(|probed| probed.changed_texts(&evidence.judges));
        Self(changed.flatten().collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether a probe has changed some of them.
    pub(crate) fn are_of(&self, probe: JudgeProbe) -> bool {
        self.0.iter().any(|(of, _, _)| *of == probe)
    }

    pub(crate) fn texts(&self) -> Vec<(&str, &str)> {
        self.0.iter().map(|(_, before, after)| (before.as_str(), after.as_str())).collect()
    }
}

/// Returns what cosines say of these documents, for each probe that has changed some.
pub(crate) fn of_probes(ChangedTexts(changed): &ChangedTexts, cosines: &[Option<f64>]) -> Vec<ProbeMeaning> {
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
