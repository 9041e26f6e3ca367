//! All checks of one judge, collected and as text.

use llull_audit::{CheckKind, CheckOutcome, JudgeCheck};
use serde::Serialize;

use crate::text::counted;

/// The checks of one judge, with the figures behind them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JudgeAudit {
    /// The judge's name.
    pub judge: String,
    /// The gravest of its checks' outcomes.
    pub outcome: CheckOutcome,
    /// The effect of the order of the documents; null for a judge that compared nothing.
    pub position: Option<PositionAudit>,
    /// Every check, those that passed too.
    pub checks: Vec<JudgeCheck>,
}

/// The effect of the order of documents on a judge's choices.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PositionAudit {
    /// The share of comparisons that the document shown first won.
    pub first_share: Option<f64>,
    /// The share of repeated questions whose answer changed in reverse order.
    pub flip_rate: Option<f64>,
    /// The share of repeated questions whose answer changed in the same order.
    pub repeat_rate: Option<f64>,
    /// The number of comparisons behind the share of first sides.
    pub n: usize,
    /// The number of questions with an answer in both orders.
    pub both_orders: usize,
    /// The gravest outcome of these figures.
    pub outcome: CheckOutcome,
}

/// Gathers checks by judge, in the order in which the judges first appear.
pub fn judge_audits(checks: &[JudgeCheck]) -> Vec<JudgeAudit> {
    let mut audits: Vec<JudgeAudit> = Vec::new();
    for check in checks {
        let at = audits.iter().position(|audit| audit.judge == check.judge).unwrap_or(audits.len());
        if at == audits.len() {
            let judge = check.judge.clone();
            audits.push(JudgeAudit {
                judge,
                outcome: CheckOutcome::Passed,
                position: None,
                checks: Vec::new(),
            });
        }
        if let Some(audit) = audits.get_mut(at) {
            audit.outcome = audit.outcome.max(check.outcome);
            audit.checks.push(check.clone());
        }
    }
    for audit in &mut audits {
        audit.position = PositionAudit::of(&audit.checks);
    }
    audits
}

impl JudgeAudit {
    /// Returns how many checks passed, without the undecided ones.
    pub fn passed(&self) -> usize {
        self.checks.iter().filter(|check| !check.is_raised() && !check.is_undecided()).count()
    }
}

impl PositionAudit {
    fn of(checks: &[JudgeCheck]) -> Option<Self> {
        let find = |kind: CheckKind| checks.iter().find(|check| check.kind == kind);
        let (first, flips) = (find(CheckKind::FirstSide), find(CheckKind::PositionFlip));
        let repeats = find(CheckKind::RepeatFlip).filter(|_| first.or(flips).is_some());
        let about = [first, flips, repeats, find(CheckKind::Position)];
        let outcome = about.into_iter().flatten().map(|check| check.outcome).max()?;
        Some(Self {
            first_share: first.and_then(|check| check.value),
            flip_rate: flips.and_then(|check| check.value),
            repeat_rate: repeats.and_then(|check| check.value),
            n: first.map_or(0, |check| check.n),
            both_orders: flips.map_or(0, |check| check.n),
            outcome,
        })
    }
}

/// The checks of judges as text: for each judge the counts, its failed checks, its warnings, the undecided
/// ones, and the titles of those that passed.
pub fn audit_text(audits: &[JudgeAudit]) -> String {
    audits.iter().map(judge_text).collect::<Vec<_>>().join("\n\n")
}

fn judge_text(audit: &JudgeAudit) -> String {
    let of = |outcome: CheckOutcome| -> Vec<&JudgeCheck> {
        audit.checks.iter().filter(|check| check.outcome == outcome).collect()
    };
    let (failed, warnings, weak) =
        (of(CheckOutcome::Failed), of(CheckOutcome::Warning), of(CheckOutcome::Weak));
    let (undecided, passed): (Vec<_>, Vec<_>) =
        of(CheckOutcome::Passed).into_iter().partition(|check| check.is_undecided());
    let mut counts = vec![outcome_counts(failed.len(), warnings.len() + weak.len(), passed.len())];
    counts.retain(|text| !text.is_empty());
    if !undecided.is_empty() {
        counts.push(format!("{} undecided", undecided.len()));
    }
    let mut lines = vec![format!("{}: {}", audit.judge, counts.join(", "))];
    let listed = [("FAILED", &failed), ("WARNING", &warnings), ("WEAK", &weak), ("note", &undecided)];
    let width =
        listed.iter().flat_map(|(_, checks)| checks.iter().map(|check| check.kind.title().len())).max();
    for (word, checks) in listed {
        lines.extend(checks.iter().map(|check| {
            let (title, text) = (check.kind.title(), check_text(check));
            format!("  {word:<7}  {title:<width$}  {text}", width = width.unwrap_or(0))
        }));
    }
    if !passed.is_empty() {
        let titles: Vec<&str> = passed.iter().map(|check| check.kind.title()).collect();
        lines.push(format!("  passed   {}", titles.join(", ")));
    }
    lines.join("\n")
}

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

#[cfg(test)]
mod tests {
    use super::*;

    fn check(judge: &str, kind: CheckKind, outcome: CheckOutcome, value: f64, n: usize) -> JudgeCheck {
        JudgeCheck {
            judge: judge.into(),
            kind,
            outcome,
            n,
            value: Some(value),
            low: None,
            high: None,
            chance: Some(0.5),
            finding: "Seen.".into(),
            remedy: String::new(),
        }
    }

    #[test]
    fn a_judge_s_checks_stand_together_the_gravest_first() {
        let checks = [
            check("one", CheckKind::FirstSide, CheckOutcome::Passed, 0.5, 40),
            check("two", CheckKind::OneGrade, CheckOutcome::Warning, 0.9, 30),
            check("one", CheckKind::PositionFlip, CheckOutcome::Failed, 0.6, 30),
            JudgeCheck { value: None, ..check("two", CheckKind::Kappa, CheckOutcome::Passed, 0.0, 0) },
        ];
        let audits = judge_audits(&checks);
        let position = audits[0].position.as_ref().unwrap();
        assert_eq!(
            (position.first_share, position.flip_rate, position.repeat_rate),
            (Some(0.5), Some(0.6), None)
        );
        assert_eq!((position.n, position.both_orders, position.outcome), (40, 30, CheckOutcome::Failed));
        assert_eq!((audits[1].outcome, &audits[1].position), (CheckOutcome::Warning, &None), "it grades");
        assert_eq!(
            audit_text(&audits),
            "one: 1 check failed, 1 passed\n\
             \x20 FAILED   answers change when reversed  Seen.\n\
             \x20 passed   favours the first document\n\
             \n\
             two: 1 warning, 1 undecided\n\
             \x20 WARNING  always the same grade    Seen.\n\
             \x20 note     agreement beyond chance  Seen."
        );
    }
}
