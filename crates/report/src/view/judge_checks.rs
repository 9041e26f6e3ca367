//! The checks of each judge, by outcome.

use llull_audit::{Alarm, Concern};
use serde::Serialize;

use crate::report::Report;
use crate::text::counted;

/// The checks of one judge.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct JudgeChecks<'a> {
    pub(crate) judge: &'a str,
    pub(crate) failed: Vec<&'a Alarm>,
    pub(crate) warnings: Vec<&'a Alarm>,
    pub(crate) passed: usize,
}

impl JudgeChecks<'_> {
    /// Returns `1 check failed, 2 warnings, 9 passed`.
    pub(crate) fn counts(&self) -> String {
        check_counts(self.failed.len(), self.warnings.len(), self.passed)
    }
}

/// Returns `1 check failed, 2 warnings, 9 passed`, without what is zero.
pub(crate) fn check_counts(failed: usize, warnings: usize, passed: usize) -> String {
    let passed_text = match failed {
        0 => format!("{} passed", counted(passed, "check")),
        _ => format!("{passed} passed"),
    };
    let parts = [
        (failed, format!("{} failed", counted(failed, "check"))),
        (warnings, counted(warnings, "warning")),
        (passed, passed_text),
    ];
    let parts: Vec<String> =
        parts.into_iter().filter(|(count, _)| *count > 0).map(|(_, text)| text).collect();
    parts.join(", ")
}

/// Returns the checks by judge, in the order in which the judges appear. A check that had nothing to look at is none.
pub(crate) fn judge_checks<T>(report: &Report<T>) -> Vec<JudgeChecks<'_>> {
    let mut judges: Vec<JudgeChecks<'_>> = Vec::new();
    for check in report.alarms.iter().filter(|check| check.n > 0) {
        let at = judges.iter().position(|known| known.judge == check.judge).unwrap_or(judges.len());
        if at == judges.len() {
            judges.push(JudgeChecks { judge: &check.judge, failed: vec![], warnings: vec![], passed: 0 });
        }
        let judge = &mut judges[at];
        match check.verdict {
            Concern::Fine => judge.passed += 1,
            Concern::Look => judge.warnings.push(check),
            Concern::DoNotTrust => judge.failed.push(check),
        }
    }
    judges
}
