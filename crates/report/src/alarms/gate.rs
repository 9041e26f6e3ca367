//! Tests the conditions that a study sets on its judges.

use llull_audit::{Alarm, AlarmKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::condition::AlarmCondition;
use super::distrusted::distrusted;
use crate::text::{count, figure, interval};

/// The outcome of a condition of `[alarms]` for one judge. One that fails can fail a build.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AlarmGate {
    /// The condition: `position_flip <= 0.2`.
    pub gate: String,
    /// The judge; null if there is such a figure of none.
    pub judge: Option<String>,
    /// The figure.
    pub kind: AlarmKind,
    /// The number of answers, pairs or queries behind the value, as in the alarm.
    pub n: usize,
    /// The value that was tested; null if the alarm has no value.
    pub value: Option<f64>,
    /// The lower end of its interval; null if it has none.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// Whether the condition holds. It fails without a value to test. All conditions fail while an alarm is
    /// `do_not_trust`, unless alarms are ignored.
    pub passed: bool,
    /// The same in one sentence.
    pub sentence: String,
}

/// Tests every condition on every judge that has such a figure: condition by condition, judges in the order of the
/// alarms. If one judge is unreliable, all conditions fail, unless `ignored`.
pub fn alarm_gates(conditions: &[AlarmCondition], alarms: &[Alarm], ignored: bool) -> Vec<AlarmGate> {
    let doubted = if ignored { Vec::new() } else { distrusted(alarms) };
    let mut gates = Vec::new();
    for condition in conditions {
        let before = gates.len();
        let of_kind = alarms.iter().filter(|alarm| alarm.kind == condition.kind());
        gates.extend(of_kind.map(|alarm| hold(condition, alarm, &doubted)));
        if gates.len() == before {
            gates.push(AlarmGate {
                gate: condition.to_string(),
                judge: None,
                kind: condition.kind(),
                n: 0,
                value: None,
                low: None,
                high: None,
                passed: false,
                sentence: format!("{condition} fails: there is no such figure of these judges."),
            });
        }
    }
    gates
}

fn hold(condition: &AlarmCondition, alarm: &Alarm, doubted: &[&str]) -> AlarmGate {
    let keeps = alarm.value.is_some_and(|value| condition.holds(value));
    let passed = keeps && doubted.is_empty();
    let found = match alarm.value {
        None => format!("there is no figure to test (n = {})", count(alarm.n)),
        Some(value) => {
            let ends = match (alarm.low, alarm.high) {
                (None, None) => String::new(),
                (low, high) => format!(" {}", interval(low, high)),
            };
            format!("it is {}{ends}, n = {}", figure(value), count(alarm.n))
        }
    };
    let because = match keeps && !passed {
        true => format!("; but {} is not to be trusted", doubted.join(", ")),
        false => String::new(),
    };
    AlarmGate {
        gate: condition.to_string(),
        judge: Some(alarm.judge.clone()),
        kind: alarm.kind,
        n: alarm.n,
        value: alarm.value,
        low: alarm.low,
        high: alarm.high,
        passed,
        sentence: format!(
            "{condition} {} for judge {}: {found}{because}.",
            if passed { "holds" } else { "fails" },
            alarm.judge
        ),
    }
}
