//! The checks of each judge, by outcome.

use llull_audit::{CheckOutcome, JudgeCheck};
use serde::Serialize;

use crate::checks::{JudgeAudit, check_text, judge_audits, outcome_counts};

/// A check with its words.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct CheckRow {
    pub(crate) title: &'static str,
    pub(crate) words: &'static str,
    /// The finding and the remedy.
    pub(crate) text: String,
    /// Whether it failed or is a warning.
    pub(crate) raised: bool,
    #[serde(flatten)]
    check: JudgeCheck,
}

impl CheckRow {
    pub(crate) fn of(check: &JudgeCheck) -> Self {
        let (title, words, text) = (check.kind.title(), check.outcome.words(), check_text(check));
        Self { title, words, text, raised: check.is_raised(), check: check.clone() }
    }
}

/// The checks of one judge.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct JudgeChecks {
    pub(crate) judge: String,
    pub(crate) failed: Vec<CheckRow>,
    pub(crate) warnings: Vec<CheckRow>,
    pub(crate) passed: usize,
    /// The titles of those that these answers cannot decide.
    pub(crate) undecided: Vec<&'static str>,
}

impl JudgeChecks {
    fn of(audit: &JudgeAudit) -> Self {
        let rows = |outcome: CheckOutcome| {
            audit.checks.iter().filter(move |check| check.outcome == outcome).map(CheckRow::of)
        };
        let warnings = rows(CheckOutcome::Warning).chain(rows(CheckOutcome::Weak));
        let undecided = audit.checks.iter().filter(|check| check.is_undecided());
        Self {
            judge: audit.judge.clone(),
            failed: rows(CheckOutcome::Failed).collect(),
            warnings: warnings.collect(),
            passed: audit.passed(),
            undecided: undecided.map(|check| check.kind.title()).collect(),
        }
    }

    /// Returns `9 checks passed, 1 undecided (agreement beyond chance)`; more than two have no titles.
    pub(crate) fn in_brief(&self) -> String {
        match self.undecided.as_slice() {
            [] => self.counts(),
            titles @ ([_] | [_, _]) => {
                format!("{}, {} undecided ({})", self.counts(), titles.len(), titles.join(", "))
            }
            more => format!("{}, {} undecided", self.counts(), more.len()),
        }
    }

    /// Returns `1 check failed, 2 warnings, 9 passed`; empty if every check is undecided.
    pub(crate) fn counts(&self) -> String {
        outcome_counts(self.failed.len(), self.warnings.len(), self.passed)
    }
}

/// Returns the checks by judge, in the order in which the judges appear, without judges whose checks are all undecided.
pub(crate) fn judge_checks(checks: &[JudgeCheck]) -> Vec<JudgeChecks> {
    let judges = judge_audits(checks);
    judges.iter().map(JudgeChecks::of).filter(|judge| !judge.counts().is_empty()).collect()
}
