//! The conditions that a study sets on its judges.

use std::fmt;

use llull_audit::{CheckKind, CheckOutcome, JudgeCheck};
use llull_core::nearest_name;
use llull_stats::Gate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use crate::text::{count, figure};

/// A condition on the value of one kind of check, such as `position_flip <= 0.2`.
///
/// ```
/// use llull_audit::CheckKind;
/// use llull_report::CheckCondition;
///
/// let condition = CheckCondition::parse("position_flip", "<= 0.2")?;
/// assert_eq!(condition.kind(), CheckKind::PositionFlip);
/// assert!(condition.holds(0.2) && !condition.holds(0.21));
/// assert_eq!(condition.to_string(), "position_flip <= 0.2");
///
/// let error = CheckCondition::parse("position_flips", "<= 0.2").unwrap_err().to_string();
/// assert!(error.contains("did you mean \"position_flip\"?"), "{error}");
/// # Ok::<(), llull_report::CheckConditionError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct CheckCondition {
    kind: CheckKind,
    gate: Gate,
}

/// Errors in a condition on a judge check.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CheckConditionError {
    /// No kind of check has this name.
    #[error("no check is called {name:?}; {}there are {}", nearest(name), names())]
    Unknown {
        /// The name as written.
        name: String,
    },
    /// The bound cannot be read.
    #[error(
        "{bound:?} is no bound: write >=, >, <= or < and then a number, as in {name} = \"<= 0.2\" or \
         {name} = \">= 0.2\""
    )]
    Bound {
        /// The check's name.
        name: String,
        /// The bound as written.
        bound: String,
    },
}

impl CheckCondition {
    /// Reads a condition from the name of a check and a bound on its value, such as `<= 0.2`.
    ///
    /// # Errors
    /// Returns an error if no check has this name, or the bound is not a comparison and a finite number.
    pub fn parse(name: &str, bound: &str) -> Result<Self, CheckConditionError> {
        let kind = CheckKind::from_name(name)
            .ok_or_else(|| CheckConditionError::Unknown { name: name.to_owned() })?;
        let wrong = || CheckConditionError::Bound { name: name.to_owned(), bound: bound.to_owned() };
        if !bound.trim_start().starts_with(['<', '>']) {
            return Err(wrong());
        }
        let gate = format!("{name} {bound}").parse().map_err(|_| wrong())?;
        Ok(Self { kind, gate })
    }

    /// Returns the kind of check.
    pub fn kind(&self) -> CheckKind {
        self.kind
    }

    /// Returns whether a value keeps to the bound.
    pub fn holds(&self, value: f64) -> bool {
        self.gate.holds(value)
    }
}

impl fmt::Display for CheckCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.gate.fmt(f)
    }
}

impl Serialize for CheckCondition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

fn names() -> String {
    CheckKind::NAMES.join(", ")
}

/// The name that was probably meant, as a question.
fn nearest(name: &str) -> String {
    let best = nearest_name(&name.replace('-', "_"), CheckKind::NAMES.iter().copied());
    best.map_or_else(String::new, |best| format!("did you mean {best:?}? "))
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_a_comparison_and_a_number() {
        for bound in ["0.2", "== 0.2", "<= much", "", "low(x) <= 2", ">= NaN"] {
            let error = CheckCondition::parse("kappa", bound).unwrap_err();
            assert_eq!(error, CheckConditionError::Bound { name: "kappa".into(), bound: bound.into() });
        }
        assert!(CheckCondition::parse("kappa", ">0.2").is_ok_and(|condition| !condition.holds(0.2)));
    }

    #[test]
    fn a_name_far_from_all_is_not_guessed() {
        let said = |name: &str| CheckCondition::parse(name, "<= 1").unwrap_err().to_string();
        assert!(said("agreement").starts_with("no check is called \"agreement\"; there are first_side, "));
        assert!(said("first-side").contains("did you mean \"first_side\"? "));
    }
}
