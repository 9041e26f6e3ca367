//! The checks of each judge, by outcome.

use llull_audit::{CheckOutcome, JudgeCheck};
use serde::Serialize;

use crate::checks::{check_text, outcome_counts};
use crate::report::Report;

/// A check with its words.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct CheckRow<'a> {
    pub(crate) title: &'static str,
    words: &'static str,
    /// The finding and the remedy.
    pub(crate) text: String,
    /// Whether it failed or is a warning.
    pub(crate) raised: bool,
    #[serde(flatten)]
    check: &'a JudgeCheck,
}

impl<'a> CheckRow<'a> {
    pub(crate) fn of(check: &'a JudgeCheck) -> Self {
        let (title, words, text) = (check.kind.title(), check.outcome.words(), check_text(check));
        Self { title, words, text, raised: check.is_raised(), check }
    }
}

/// The checks of one judge.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct JudgeChecks<'a> {
    pub(crate) judge: &'a str,
    pub(crate) failed: Vec<CheckRow<'a>>,
    pub(crate) warnings: Vec<CheckRow<'a>>,
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
            CheckOutcome::Warning => judge.warnings.push(CheckRow::of(check)),
            CheckOutcome::Failed => judge.failed.push(CheckRow::of(check)),
        }
    }
    judges
}
