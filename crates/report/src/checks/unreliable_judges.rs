//! Finds the judges with a failed check.

use llull_audit::{CheckOutcome, JudgeCheck};

/// Returns the judges with a check of [`CheckOutcome::Failed`], each once, in the order of the checks.
pub fn unreliable_judges(checks: &[JudgeCheck]) -> Vec<&str> {
    let mut judges: Vec<&str> = Vec::new();
    for check in checks.iter().filter(|check| check.outcome == CheckOutcome::Failed) {
        if !judges.contains(&check.judge.as_str()) {
            judges.push(&check.judge);
        }
    }
    judges
}
