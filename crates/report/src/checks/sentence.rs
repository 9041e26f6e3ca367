//! A check in words.

use llull_audit::JudgeCheck;

use crate::text::{count, figure, interval};

/// A check in one line: the judge, the outcome, the figure with its interval, and advice.
///
/// ```
/// use llull_audit::{JudgeCheck, CheckKind, CheckOutcome};
/// let check = JudgeCheck {
///     judge: "mini".into(),
///     kind: CheckKind::FirstSide,
///     outcome: CheckOutcome::Failed,
///     n: 40,
///     value: Some(1.0),
///     low: Some(0.91),
///     high: Some(1.0),
///     chance: Some(0.5),
///     advice: "It always takes the first document.".into(),
/// };
/// assert_eq!(
///     llull_report::check_sentence(&check),
///     "mini: do not trust: first_side 1.0000 [0.9100, 1.0000], n = 40, a coin 0.5000. It always takes the first \
///      document."
/// );
/// ```
pub fn check_sentence(check: &JudgeCheck) -> String {
    format!("{}: {}: {} {}", check.judge, check.outcome.words(), figure_of_check(check), check.advice)
}

/// The figure of a check with its name: `first_side 1.0000 [0.9100, 1.0000], n = 40, a coin 0.5000.`
pub fn figure_of_check(check: &JudgeCheck) -> String {
    let ends = match (check.low, check.high) {
        (None, None) => String::new(),
        (low, high) => format!(" {}", interval(low, high)),
    };
    let chance = check.chance.map_or_else(String::new, |chance| format!(", a coin {}", figure(chance)));
    format!("{} {}{ends}, n = {}{chance}.", check.kind.name(), figure(check.value), count(check.n))
}
