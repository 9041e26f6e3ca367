//! Computes the judge checks of a study.

use llull_audit::{
    AuditOptions, AuditedCollection, AuditedJudge, CheckKind, CheckOutcome, JudgeCheck, ShownDocument,
    judge_checks,
};
use llull_config::Settings;
use llull_core::Seed;

use super::collection::audited_collection;
use super::disguised::{add_disguised, control_answers};
use super::judges::audited_judges;
use super::probed::add_probed;
use crate::control_answers::ControlAnswers;
use crate::evidence::StudyEvidence;
use crate::inputs::Inputs;
use crate::trained_labels::{left_out, not_compared};

/// Returns all checks of every judge, passed ones too. It sends no request and reads no ledger.
///
/// The thresholds are set at 95%, so the rate of false alarms does not depend on the confidence of the study's
/// intervals.
pub(crate) fn study_checks(
    settings: &Settings,
    inputs: &Inputs,
    evidence: &StudyEvidence,
) -> Vec<JudgeCheck> {
    AuditedStudy::of(settings, inputs, evidence).checks
}

/// The input of judge checks, and the checks.
pub(super) struct AuditedStudy {
    pub(super) judges: Vec<AuditedJudge>,
    pub(super) collection: AuditedCollection,
    pub(super) checks: Vec<JudgeCheck>,
}

impl AuditedStudy {
    pub(super) fn of(settings: &Settings, inputs: &Inputs, evidence: &StudyEvidence) -> Self {
        let mut judges = audited_judges(settings, inputs, evidence);
        add_probed(&mut judges, inputs.rubric.scale, evidence);
        add_disguised(&mut judges, settings, inputs, evidence);
        add_trained_queries(&mut judges, inputs);
        let collection = audited_collection(settings, inputs, evidence);
        let options = AuditOptions { depth: settings.pool_depth, ..AuditOptions::new(Seed(settings.seed)) };
        let trained_on_all: Vec<String> = judges
            .iter_mut()
            .filter(|judge| !judge.trained_on.is_empty() && !has_unseen_grades(judge, &collection))
            .map(|judge| {
                judge.trained_on.clear();
                judge.judge.clone()
            })
            .collect();
        let mut checks = judge_checks(&judges, &collection, &options);
        for check in checks.iter_mut().filter(|check| check.kind == CheckKind::Kappa) {
            if trained_on_all.contains(&check.judge) {
                *check = not_compared_check(&check.judge);
            }
            let is_judge = |judge: &&AuditedJudge| judge.judge == check.judge && !judge.trained_on.is_empty();
            if let Some(judge) = judges.iter().find(is_judge) {
                let graded = collection.documents.iter().filter(|documents| is_graded(documents));
                let sentence = left_out(&[judge.judge.as_str()], judge.trained_on.len(), graded.count());
                check.finding = format!("{} {sentence}", check.finding);
            }
        }
        Self { judges, collection, checks }
    }
}

/// Adds the queries whose grades each judge was trained on: its agreement on them is no evidence of its quality.
fn add_trained_queries(judges: &mut [AuditedJudge], inputs: &Inputs) {
    if inputs.trained_on_human_labels.is_empty() {
        return;
    }
    for judge in judges {
        let Some(queries) = inputs.trained_on_human_labels.of_judge(&judge.judge) else { continue };
        let topics = inputs.asked().topics.iter().enumerate();
        judge.trained_on =
            topics.filter(|(_, topic)| queries.contains(&topic.id)).map(|(at, _)| at).collect();
    }
}

/// Returns whether annotators graded a document of a query that the judge was not trained on.
fn has_unseen_grades(judge: &AuditedJudge, collection: &AuditedCollection) -> bool {
    let queries = collection.documents.iter().enumerate();
    queries.filter(|(at, _)| !judge.trained_on.contains(at)).any(|(_, documents)| is_graded(documents))
}

fn is_graded(documents: &[ShownDocument]) -> bool {
    documents.iter().any(|document| document.human_grade.is_some())
}

/// Returns the check of the agreement of a judge that was trained on all labels for a comparison.
fn not_compared_check(judge: &str) -> JudgeCheck {
    JudgeCheck {
        judge: judge.to_owned(),
        kind: CheckKind::Kappa,
        outcome: CheckOutcome::Passed,
        n: 0,
        value: None,
        low: None,
        high: None,
        chance: None,
        finding: not_compared(&[judge]),
        remedy: String::new(),
    }
}

/// Returns the answers of a study's judges, for another study whose control it is.
pub(crate) fn study_as_control(
    settings: &Settings,
    inputs: &Inputs,
    evidence: &StudyEvidence,
) -> ControlAnswers {
    control_answers(audited_judges(settings, inputs, evidence), settings, inputs, evidence)
}
