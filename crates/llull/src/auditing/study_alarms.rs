//! The alarms of a study.

use llull_audit::{Alarm, AlarmKind, AuditOptions, AuditedCollection, AuditedJudge, Concern, alarms};
use llull_core::Seed;

use super::collection::audited_collection;
use super::disguised::{add_disguised, control_answers};
use super::judges::audited_judges;
use super::probed::add_probed;
use crate::config::Settings;
use crate::control_answers::ControlAnswers;
use crate::evidence::StudyEvidence;
use crate::inputs::Inputs;
use crate::trained_labels::trained_on;

/// Returns what the answers say of every judge, quiet alarms too. Nothing is asked, and no ledger is read.
///
/// How seldom a decent judge is accused does not depend on the confidence of the study's intervals: the thresholds are
/// set at 95%.
pub(crate) fn study_alarms(settings: &Settings, inputs: &Inputs, evidence: &StudyEvidence) -> Vec<Alarm> {
    AuditedStudy::of(settings, inputs, evidence).alarms
}

/// What alarms are computed from, and what they are.
pub(super) struct AuditedStudy {
    pub(super) judges: Vec<AuditedJudge>,
    pub(super) collection: AuditedCollection,
    pub(super) alarms: Vec<Alarm>,
}

impl AuditedStudy {
    pub(super) fn of(settings: &Settings, inputs: &Inputs, evidence: &StudyEvidence) -> Self {
        let mut judges = audited_judges(settings, inputs, evidence);
        add_probed(&mut judges, inputs.rubric.scale, evidence);
        add_disguised(&mut judges, settings, inputs, evidence);
        let collection = audited_collection(settings, inputs, evidence);
        let options = AuditOptions { depth: settings.pool_depth, ..AuditOptions::new(Seed(settings.seed)) };
        let mut alarms = alarms(&judges, &collection, &options);
        // A judge that was trained on the reference agrees with it whatever it is worth.
        let trained = |judge: &String| inputs.trained_on_reference.contains(judge);
        for alarm in alarms.iter_mut().filter(|alarm| alarm.kind == AlarmKind::Kappa && trained(&alarm.judge))
        {
            let advice = trained_on(std::slice::from_ref(&alarm.judge)).unwrap_or_default();
            *alarm = Alarm {
                judge: std::mem::take(&mut alarm.judge),
                kind: AlarmKind::Kappa,
                verdict: Concern::Fine,
                n: 0,
                value: None,
                low: None,
                high: None,
                chance: None,
                advice,
            };
        }
        Self { judges, collection, alarms }
    }
}

/// Returns what the judges of a study say that is the control of another.
pub(crate) fn study_as_control(
    settings: &Settings,
    inputs: &Inputs,
    evidence: &StudyEvidence,
) -> ControlAnswers {
    control_answers(audited_judges(settings, inputs, evidence), settings, inputs, evidence)
}
