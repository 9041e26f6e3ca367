//! All alarms of all judges.

use crate::finding::{Finding, judge_findings};
use crate::first_side::first_side;
use crate::one_grade::one_grade;
use crate::{Alarm, AuditOptions, AuditedCollection, AuditedJudge};

/// Computes every alarm that the answers allow, of each judge in the order of [`AlarmKind`](crate::AlarmKind), quiet
/// ones too.
///
/// An alarm that cannot apply is absent: a judge that only grades has no first side. One that applies and cannot be
/// computed stands there without a value and says what it lacks.
///
/// The chance that a decent judge makes an alarm ring is held over all judges and alarms together (Holm's method), so
/// the same answers can ring alone and be quiet among many.
pub fn alarms(judges: &[AuditedJudge], collection: &AuditedCollection, options: &AuditOptions) -> Vec<Alarm> {
    let mut findings: Vec<(String, Finding)> = Vec::new();
    for judge in judges {
        let of_judge = [first_side(judge, options), one_grade(judge, options)];
        let mut of_judge: Vec<Finding> = of_judge.into_iter().flatten().collect();
        of_judge.sort_by_key(|finding| finding.kind);
        findings.extend(of_judge.into_iter().map(|finding| (judge.judge.clone(), finding)));
    }
    let _ = collection;
    judge_findings(findings, 1.0 - options.confidence)
}
