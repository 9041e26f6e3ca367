//! The judges that compare in the present study.

use std::sync::Arc;

use llull_config::JudgeKind;
use llull_core::Hash;

use super::attributes::attribute_fingerprints;
use super::panel::Panel;
use crate::error::StudyError;
use crate::saved::rubric;
use crate::study_config::StudyConfig;

/// Returns the fingerprints of the judges that compare in the present study. They are empty if there are none, or if
/// one of them is the similarity baseline, whose fingerprint needs the whole corpus, which is not read here.
///
/// # Errors
/// Returns an error if the rubric, a prompt or labels of a judge cannot be read.
pub(crate) fn comparing_judges(config: StudyConfig<'_>) -> Result<Vec<Hash>, StudyError> {
    let Some(tournament) = &config.settings.tournament else { return Ok(Vec::new()) };
    if config.settings.judges.iter().any(|judge| {
        matches!(judge.kind, JudgeKind::Similarity {} | JudgeKind::Student { .. } | JudgeKind::Tree { .. })
    }) {
        return Ok(Vec::new());
    }
    let rubric = Arc::new(rubric(config)?);
    let panel = Panel::new(config, &rubric, &config.settings.judges, Some(tournament), None)?;
    Ok(panel.identities().iter().map(|judge| judge.spec().fingerprint()).collect())
}

/// Does the same, with the fingerprints of the judges of the rubric's attributes.
///
/// # Errors
/// Returns an error if the rubric, a prompt or labels of a judge cannot be read.
pub(crate) fn features_asked(config: StudyConfig<'_>) -> Result<Vec<Hash>, StudyError> {
    let mut fingerprints = comparing_judges(config)?;
    let rubric = Arc::new(rubric(config)?);
    fingerprints.extend(attribute_fingerprints(config, &rubric)?);
    Ok(fingerprints)
}
