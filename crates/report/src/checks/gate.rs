//! Tests the conditions that a study sets on its judges.

use llull_audit::{CheckKind, CheckOutcome, JudgeCheck};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::condition::CheckCondition;
use crate::text::{count, figure};

/// The outcome of a condition of `[checks]` for one judge. One that fails can fail a build.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CheckGate {
    /// The condition: `position_flip <= 0.2`.
    pub gate: String,
    /// The judge; null if there is such a figure of none.
    pub judge: Option<String>,
    /// The figure.
    pub kind: CheckKind,
    /// The number of answers, pairs or queries behind the value, as in the check.
    pub n: usize,
    /// The value that was tested; null if the check has no value.
    pub value: Option<f64>,
    /// The lower end of its interval; null if it has none.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// Whether the condition holds. It fails without a value to test. All conditions fail while a check is
    /// `failed`, unless checks are ignored.
    pub passed: bool,
    /// The same in one sentence.
    pub sentence: String,
}

/// Tests every condition on every judge that has such a figure: condition by condition, judges in the order of the
/// checks. If one judge is unreliable, all conditions fail, unless `ignored`.
pub fn check_gates(conditions: &[CheckCondition], checks: &[JudgeCheck], ignored: bool) -> Vec<CheckGate> {
    let doubted = if ignored { Vec::new() } else { unreliable_judges(checks) };
    let mut gates = Vec::new();
    for condition in conditions {
        let before = gates.len();
        let of_kind = checks.iter().filter(|check| check.kind == condition.kind());
        gates.extend(of_kind.map(|check| hold(condition, check, &doubted)));
        if gates.len() == before {
            gates.push(CheckGate {
                gate: condition.to_string(),
                judge: None,
                kind: condition.kind(),
                n: 0,
                value: None,
                low: None,
                high: None,
                passed: false,
                sentence: format!("{condition} fails: these judges have no such figure."),
            });
        }
    }
    gates
}

fn hold(condition: &CheckCondition, check: &JudgeCheck, doubted: &[&str]) -> CheckGate {
    let keeps = check.value.is_some_and(|value| condition.holds(value));
    let passed = keeps && doubted.is_empty();
    let found = match check.value {
        None => format!("it has no figure to test (n = {})", count(check.n)),
        Some(value) => {
            let ends = match (check.low, check.high) {
                (None, None) => String::new(),
                (low, high) => format!("{} to {}, ", figure(low), figure(high)),
            };
            format!("it is {} ({ends}n = {})", figure(value), count(check.n))
        }
    };
    let because = match keeps && !passed {
        true => format!(", but {} failed a check", doubted.join(", ")),
        false => String::new(),
    };
    CheckGate {
        gate: condition.to_string(),
        judge: Some(check.judge.clone()),
        kind: check.kind,
        n: check.n,
        value: check.value,
        low: check.low,
        high: check.high,
        passed,
        sentence: format!(
            "{condition} {} for judge {}: {found}{because}.",
            if passed { "holds" } else { "fails" },
            check.judge
        ),
    }
}

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
