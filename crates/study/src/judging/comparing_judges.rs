//! The judges that compare in the present study.

use std::sync::Arc;

use llull_config::{Folder, JudgeKind, Settings};
use llull_core::Hash;

use super::attributes::attribute_fingerprints;
use super::panel::Panel;
use crate::error::StudyError;
use crate::saved::rubric;

/// Returns the fingerprints of the judges that compare in the present study. They are empty if there are none, or if
/// one of them is the similarity baseline, whose fingerprint needs the whole corpus, which is not read here.
///
/// # Errors
/// Returns an error if the rubric, a prompt or labels of a judge cannot be read.
pub(crate) fn comparing_judges(settings: &Settings, folder: &Folder) -> Result<Vec<Hash>, StudyError> {
    let Some(tournament) = &settings.tournament else { return Ok(Vec::new()) };
    if settings.judges.iter().any(|judge| {
        matches!(judge.kind, JudgeKind::Similarity {} | JudgeKind::Student { .. } | JudgeKind::Tree { .. })
    }) {
        return Ok(Vec::new());
    }
    let rubric = Arc::new(rubric(settings, folder)?);
    let panel = Panel::new(settings, folder, &rubric, &settings.judges, Some(tournament), None)?;
    Ok(panel.identities().iter().map(|judge| judge.spec().fingerprint()).collect())
}

/// Does the same, with the fingerprints of the judges of the rubric's attributes.
///
/// # Errors
/// Returns an error if the rubric, a prompt or labels of a judge cannot be read.
pub(crate) fn features_asked(settings: &Settings, folder: &Folder) -> Result<Vec<Hash>, StudyError> {
    let mut fingerprints = comparing_judges(settings, folder)?;
    let rubric = Arc::new(rubric(settings, folder)?);
    fingerprints.extend(attribute_fingerprints(settings, folder, &rubric)?);
    Ok(fingerprints)
}
