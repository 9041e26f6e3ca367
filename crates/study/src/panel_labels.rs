//! Converts the labels of a study's judges to those of a panel.

use llull_core::Scale;
use llull_files::{JudgePanel, PanelLabels, PanelMember};
use llull_label::GradeMap;
use llull_report::agreement::NamedLabels;
use llull_runner::JudgeEvidence;

use crate::evidence::StudyEvidence;
use crate::labelling::graded_labels;

/// Returns the judges of a study that grade, each with its labels, on the rubric's scale; `None` if the judges of the
/// study compare.
pub fn panel_members(evidence: &StudyEvidence, scale: Scale) -> Option<JudgePanel> {
    if evidence.compared().is_some() {
        return None;
    }
    let member = |judge: &JudgeEvidence| PanelMember {
        labels: NamedLabels::new(judge.name(), graded_labels(&evidence.pooled, &[judge]).qrels().clone()),
        scale: Some(GradeMap::identity(scale)),
    };
    Some(evidence.judges.judges().iter().map(member).collect())
}

/// Returns the contribution of each judge of a study to its labels; `None` if fewer than two judges grade.
pub fn panel_labels(evidence: &StudyEvidence, scale: Scale) -> Option<PanelLabels> {
    let members = panel_members(evidence, scale).filter(|members| members.len() > 1)?;
    Some(PanelLabels::with_labels(members, evidence.judged()))
}
