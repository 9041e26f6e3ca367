//! Whether the labels of a study have a track record.

use llull_config::{JudgeKind, Settings};

/// Returns whether the labels are those of judges alone that read documents, as the judges of published verdicts do. A
/// baseline of shared words, a student of one, an annotator, and labels that existed before have no such record.
pub(crate) fn labels_are_judges_alone(settings: &Settings) -> bool {
    let has_record = |kind: &JudgeKind| match kind {
        JudgeKind::Prompted { .. }
        | JudgeKind::Recorded { .. }
        | JudgeKind::Replay { .. }
        | JudgeKind::Tree { .. }
        | JudgeKind::Own(_)
        | JudgeKind::Custom { .. } => true,
        JudgeKind::Similarity {} | JudgeKind::Student { .. } | JudgeKind::Annotator { .. } => false,
    };
    settings.base.is_none()
        && !settings.judges.is_empty()
        && settings.judges.iter().all(|judge| has_record(&judge.kind))
}
