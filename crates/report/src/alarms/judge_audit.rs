//! All checks of one judge, collected and as text.

use llull_audit::{Alarm, AlarmKind, Concern};
use serde::Serialize;

use super::sentence::figure_of_alarm;
use crate::text::counted;

/// The checks of one judge, with the figures behind them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JudgeAudit {
    /// The judge's name.
    pub judge: String,
    /// The gravest of its alarms' verdicts.
    pub verdict: Concern,
    /// The effect of the order of the documents; null for a judge that compared nothing.
    pub position: Option<PositionAudit>,
    /// Every alarm, quiet ones too.
    pub alarms: Vec<Alarm>,
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
    /// The gravest verdict of these figures.
    pub verdict: Concern,
}

/// Gathers alarms by judge, in the order in which the judges first appear.
pub fn judge_audits(alarms: &[Alarm]) -> Vec<JudgeAudit> {
    let mut audits: Vec<JudgeAudit> = Vec::new();
    for alarm in alarms {
        let at = audits.iter().position(|audit| audit.judge == alarm.judge).unwrap_or(audits.len());
        if at == audits.len() {
            let judge = alarm.judge.clone();
            audits.push(JudgeAudit { judge, verdict: Concern::Fine, position: None, alarms: Vec::new() });
        }
        if let Some(audit) = audits.get_mut(at) {
            audit.verdict = audit.verdict.max(alarm.verdict);
            audit.alarms.push(alarm.clone());
        }
    }
    for audit in &mut audits {
        audit.position = PositionAudit::of(&audit.alarms);
    }
    audits
}

impl PositionAudit {
    fn of(alarms: &[Alarm]) -> Option<Self> {
        let find = |kind: AlarmKind| alarms.iter().find(|alarm| alarm.kind == kind);
        let (first, flips) = (find(AlarmKind::FirstSide), find(AlarmKind::PositionFlip));
        let repeats = find(AlarmKind::RepeatFlip).filter(|_| first.or(flips).is_some());
        let about = [first, flips, repeats, find(AlarmKind::Position)];
        let verdict = about.into_iter().flatten().map(|alarm| alarm.verdict).max()?;
        Some(Self {
            first_share: first.and_then(|alarm| alarm.value),
            flip_rate: flips.and_then(|alarm| alarm.value),
            repeat_rate: repeats.and_then(|alarm| alarm.value),
            n: first.map_or(0, |alarm| alarm.n),
            both_orders: flips.map_or(0, |alarm| alarm.n),
            verdict,
        })
    }
}

/// The checks of judges as text: each judge with its verdict, then its alarms, the most serious first.
pub fn audit_text(audits: &[JudgeAudit]) -> String {
    let mut lines = Vec::new();
    for audit in audits {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        let ringing = audit.alarms.iter().filter(|alarm| alarm.rings()).count();
        let of = counted(audit.alarms.len(), "alarm");
        let rings = if audit.alarms.len() == 1 { "rings" } else { "ring" };
        lines.push(format!("{}: {} ({ringing} of {of} {rings})", audit.judge, audit.verdict.words()));
        let mut alarms: Vec<&Alarm> = audit.alarms.iter().collect();
        alarms.sort_by_key(|alarm| std::cmp::Reverse(alarm.verdict));
        lines.extend(alarms.into_iter().map(|alarm| {
            format!("  {:<12}  {} {}", alarm.verdict.words(), figure_of_alarm(alarm), alarm.advice)
        }));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alarm(judge: &str, kind: AlarmKind, verdict: Concern, value: f64, n: usize) -> Alarm {
        Alarm {
            judge: judge.into(),
            kind,
            verdict,
            n,
            value: Some(value),
            low: None,
            high: None,
            chance: None,
            advice: "Seen.".into(),
        }
    }

    #[test]
    fn a_judge_s_alarms_stand_together_the_gravest_first() {
        let alarms = [
            alarm("one", AlarmKind::FirstSide, Concern::Fine, 0.5, 40),
            alarm("two", AlarmKind::OneGrade, Concern::Look, 0.9, 30),
            alarm("one", AlarmKind::PositionFlip, Concern::DoNotTrust, 0.6, 30),
        ];
        let audits = judge_audits(&alarms);
        let position = audits[0].position.as_ref().unwrap();
        assert_eq!(
            (position.first_share, position.flip_rate, position.repeat_rate),
            (Some(0.5), Some(0.6), None)
        );
        assert_eq!((position.n, position.both_orders, position.verdict), (40, 30, Concern::DoNotTrust));
        assert_eq!((audits[1].verdict, &audits[1].position), (Concern::Look, &None), "it grades");
        assert_eq!(
            audit_text(&audits),
            "one: do not trust (1 of 2 alarms ring)\n\
             \x20 do not trust  position_flip 0.6000, n = 30. Seen.\n\
             \x20 fine          first_side 0.5000, n = 40. Seen.\n\
             \n\
             two: look (1 of 1 alarm rings)\n\
             \x20 look          one_grade 0.9000, n = 30. Seen."
        );
    }
}
