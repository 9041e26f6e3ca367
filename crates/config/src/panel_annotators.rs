//! Rejects settings that conflict with an annotator among the judges.

use crate::escalate::EscalateSettings;
use crate::judges::{JudgeKind, JudgeSettings};
use crate::panel_rule::PanelRule;

/// Checks that annotators who vote are not those whose labels a method learns from, and that no run waits for one.
///
/// # Errors
/// Returns the conflict, in words.
pub(crate) fn annotators_apart(
    (judges, graders): (&[JudgeSettings], &[JudgeSettings]),
    method: Option<PanelRule>,
    escalate: Option<&EscalateSettings>,
) -> Result<(), String> {
    let is_annotator = |kind: &JudgeKind| matches!(kind, JudgeKind::Annotator { .. });
    if let Some(grader) = graders.iter().find(|judge| is_annotator(&judge.kind)) {
        return Err(format!(
            "{}: a run asks [[graders]] and the judge of [escalate], and it cannot ask a person; name the person in \
             [[judges]] alone",
            grader.name
        ));
    }
    let Some(annotator) = judges.iter().find(|judge| is_annotator(&judge.kind)) else { return Ok(()) };
    let name = &annotator.name;
    if let Some(method) = method.filter(|method| method.needs_human_labels()) {
        return Err(format!(
            "method = \"{method}\" learns from human labels how to count the judges, and {name} is both a judge and an \
             annotator; take {name} out of the judges, or choose another method"
        ));
    }
    if escalate.is_some_and(|escalate| escalate.disagreement.is_some()) {
        return Err(format!(
            "escalate.when = \"margin\" learns from human labels where the judges err, and {name} is both a judge and \
             an annotator; take {name} out of the judges, or give a margin"
        ));
    }
    Ok(())
}
