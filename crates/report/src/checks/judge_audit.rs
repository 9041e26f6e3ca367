//! All checks of one judge, collected and as text.

use llull_audit::{CheckKind, CheckOutcome, JudgeCheck};
use serde::Serialize;

use super::sentence::figure_of_check;
use crate::text::counted;

/// The checks of one judge, with the figures behind them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JudgeAudit {
    /// The judge's name.
    pub judge: String,
    /// The gravest of its checks' verdicts.
    pub outcome: CheckOutcome,
    /// The effect of the order of the documents; null for a judge that compared nothing.
    pub position: Option<PositionAudit>,
    /// Every check, quiet ones too.
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

/// The checks of judges as text: each judge with its outcome, then its checks, the most serious first.
pub fn audit_text(audits: &[JudgeAudit]) -> String {
    let mut lines = Vec::new();
    for audit in audits {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        let raised = audit.checks.iter().filter(|check| check.is_raised()).count();
        let of = counted(audit.checks.len(), "check");
        let rings = if audit.checks.len() == 1 { "rings" } else { "ring" };
        lines.push(format!("{}: {} ({raised} of {of} {rings})", audit.judge, audit.outcome.words()));
        let mut checks: Vec<&JudgeCheck> = audit.checks.iter().collect();
        checks.sort_by_key(|check| std::cmp::Reverse(check.outcome));
        lines.extend(checks.into_iter().map(|check| {
            format!("  {:<12}  {} {}", check.outcome.words(), figure_of_check(check), check.advice)
        }));
    }
    lines.join("\n")
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
            chance: None,
            advice: "Seen.".into(),
        }
    }

    #[test]
    fn a_judge_s_checks_stand_together_the_gravest_first() {
        let checks = [
            check("one", CheckKind::FirstSide, CheckOutcome::Passed, 0.5, 40),
            check("two", CheckKind::OneGrade, CheckOutcome::Warning, 0.9, 30),
            check("one", CheckKind::PositionFlip, CheckOutcome::Failed, 0.6, 30),
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
            "one: failed (1 of 2 checks ring)\n\
             \x20 failed        position_flip 0.6000, n = 30. Seen.\n\
             \x20 passed        first_side 0.5000, n = 40. Seen.\n\
             \n\
             two: warning (1 of 1 check rings)\n\
             \x20 warning       one_grade 0.9000, n = 30. Seen."
        );
    }
}
