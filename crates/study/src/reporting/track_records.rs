//! Whether the labels of a study have a track record.

use llull_config::{JudgeKind, Settings};

/// Returns whether the labels are those of judges alone that have a record.
pub(crate) fn labels_are_judges_alone(settings: &Settings) -> bool {
    settings.base.as_ref().is_none_or(|base| base.kept.is_some())
        && !settings.judges.is_empty()
        && settings.judges.iter().all(|judge| has_record(&judge.kind))
}

/// Returns whether judges of this kind read documents as the judges of published verdicts do. A baseline of shared
/// words, a student of one, an annotator and a judge of the user's own do not, or it is unknown. Replayed labels may
/// be human: `by_judge` says that they are not.
pub(super) fn has_record(kind: &JudgeKind) -> bool {
    match kind {
        JudgeKind::Prompted { .. } | JudgeKind::Recorded { .. } | JudgeKind::Tree { .. } => true,
        JudgeKind::Replay { by_judge, .. } => *by_judge,
        JudgeKind::Similarity {}
        | JudgeKind::Student { .. }
        | JudgeKind::Annotator { .. }
        | JudgeKind::Own(_)
        | JudgeKind::Custom { .. } => false,
    }
}

/// Returns whether judges of this kind may be people, so that nothing is said of a judge's errors.
pub(super) fn may_be_human(kind: &JudgeKind) -> bool {
    matches!(kind, JudgeKind::Annotator { .. } | JudgeKind::Replay { by_judge: false, .. })
}
