//! A check in words.

use llull_audit::{CheckOutcome, JudgeCheck};

use crate::text::counted;

/// A check in one line: the judge, the outcome, the title, the finding and the remedy.
///
/// ```
/// use llull_audit::{CheckKind, CheckOutcome, JudgeCheck};
/// let check = JudgeCheck {
///     judge: "mini".into(),
///     kind: CheckKind::FirstSide,
///     outcome: CheckOutcome::Failed,
///     n: 40,
///     value: Some(1.0),
///     low: Some(0.91),
///     high: Some(1.0),
///     chance: Some(0.5),
///     finding: "The first document always won.".into(),
///     remedy: "Use another judge.".into(),
/// };
/// assert_eq!(
///     llull_report::check_sentence(&check),
///     "mini failed the check favours the first document: The first document always won. Use another judge."
/// );
/// ```
pub fn check_sentence(check: &JudgeCheck) -> String {
    let (judge, title, text) = (&check.judge, check.kind.title(), check_text(check));
    match check.outcome {
        CheckOutcome::Passed => format!("{judge} passed the check {title}: {text}"),
        CheckOutcome::Weak => format!("{judge}, weak ({title}): {text}"),
        CheckOutcome::Warning => format!("{judge}, warning ({title}): {text}"),
        CheckOutcome::Failed => format!("{judge} failed the check {title}: {text}"),
    }
}

/// The finding of a check, and its remedy if it has one.
pub(crate) fn check_text(check: &JudgeCheck) -> String {
    match check.remedy.as_str() {
        "" => check.finding.clone(),
        remedy => format!("{} {remedy}", check.finding),
    }
}

/// The numbers of checks by outcome, without those of none: `1 check failed, 2 warnings, 9 passed`. Every output
/// counts them so.
pub(crate) fn outcome_counts(failed: usize, warnings: usize, passed: usize) -> String {
    let all_passed = if failed == 0 { counted(passed, "check") } else { passed.to_string() };
    let parts = [
        (failed, format!("{} failed", counted(failed, "check"))),
        (warnings, counted(warnings, "warning")),
        (passed, format!("{all_passed} passed")),
    ];
    let parts: Vec<String> =
        parts.into_iter().filter(|(count, _)| *count > 0).map(|(_, text)| text).collect();
    parts.join(", ")
}
