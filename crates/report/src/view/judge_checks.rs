//! The checks of each judge, by outcome.

use llull_audit::{CheckOutcome, JudgeCheck};
use serde::Serialize;

use crate::checks::outcome_counts;
use crate::report::Report;

/// The checks of one judge.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct JudgeChecks<'a> {
    pub(crate) judge: &'a str,
    pub(crate) failed: Vec<&'a JudgeCheck>,
    pub(crate) warnings: Vec<&'a JudgeCheck>,
    pub(crate) passed: usize,
}

impl JudgeChecks<'_> {
    /// Returns `1 check failed, 2 warnings, 9 passed`.
    pub(crate) fn counts(&self) -> String {
        outcome_counts(self.failed.len(), self.warnings.len(), self.passed)
    }
}

/// Returns the checks by judge, in the order in which the judges appear. A check that had nothing to look at is none.
pub(crate) fn judge_checks<T>(report: &Report<T>) -> Vec<JudgeChecks<'_>> {
    let mut judges: Vec<JudgeChecks<'_>> = Vec::new();
    for check in report.checks.iter().filter(|check| check.n > 0) {
        let at = judges.iter().position(|known| known.judge == check.judge).unwrap_or(judges.len());
        if at == judges.len() {
            judges.push(JudgeChecks { judge: &check.judge, failed: vec![], warnings: vec![], passed: 0 });
        }
        let judge = &mut judges[at];
        match check.outcome {
            CheckOutcome::Passed => judge.passed += 1,
            CheckOutcome::Warning => judge.warnings.push(check),
            CheckOutcome::Failed => judge.failed.push(check),
        }
    }
    judges
}
