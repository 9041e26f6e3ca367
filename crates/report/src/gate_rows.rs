//! Gates on systems and bounds on judges, as rows of one list.

use serde::Serialize;

use crate::checks::CheckGate;
use crate::gates::{GateOutcome, GateResult};
use crate::text::{ABSENT, figures, markdown_table, table_difference, table_figure, text_table, words};

/// A gate on a system, or a bound on a judge, with its value and result.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GateRow {
    /// The condition.
    pub gate: String,
    /// The system or judge that it was tested on; empty without any.
    pub subject: String,
    /// Whether the subject is a judge.
    pub is_judge: bool,
    /// The tested value.
    pub value: String,
    /// The result in words.
    pub result: &'static str,
    /// Whether the condition holds.
    pub passed: bool,
    /// Whether missing labels could change the result.
    pub incomplete: bool,
    /// Whether there was no value to test.
    pub unmeasured: bool,
    /// The value, its interval and the reason, in a sentence.
    pub sentence: String,
}

/// Returns the gates on systems, then the bounds on judges.
pub fn gate_rows(gates: &[GateResult], bounds: &[CheckGate]) -> Vec<GateRow> {
    let of_systems = gates.iter().map(|gate| GateRow {
        gate: gate.gate.clone(),
        subject: gate.system.clone(),
        is_judge: false,
        value: if gate.absolute { table_figure(gate.value) } else { table_difference(gate.value) },
        result: gate.outcome.words(),
        passed: gate.passed,
        incomplete: gate.outcome == GateOutcome::Incomplete,
        unmeasured: gate.outcome == GateOutcome::Unmeasured,
        sentence: gate.sentence.clone(),
    });
    let of_judges = bounds.iter().map(|bound| GateRow {
        gate: bound.gate.clone(),
        subject: bound.judge.clone().unwrap_or_default(),
        is_judge: true,
        value: bound.value.map_or_else(|| ABSENT.to_owned(), table_figure),
        result: match (bound.passed, bound.value) {
            (true, _) => GateOutcome::Passed.words(),
            (false, None) => GateOutcome::Unmeasured.words(),
            (false, Some(_)) => GateOutcome::Failed.words(),
        },
        passed: bound.passed,
        incomplete: false,
        unmeasured: bound.value.is_none(),
        sentence: bound.sentence.clone(),
    });
    of_systems.chain(of_judges).collect()
}

fn cells(row: &GateRow) -> Vec<String> {
    let subject = if row.is_judge && !row.subject.is_empty() { "judge " } else { "" };
    vec![
        row.gate.clone(),
        format!("{subject}{}", row.subject),
        row.value.clone(),
        if row.passed { row.result.to_owned() } else { row.result.to_uppercase() },
    ]
}

/// Returns the gates as a table for a terminal.
pub(crate) fn gate_table(rows: &[GateRow]) -> String {
    text_table([words("gate"), words("of"), figures("value"), words("result")], rows.iter().map(cells))
}

/// Returns the gates as a table in Markdown.
pub(crate) fn gate_markdown(rows: &[GateRow]) -> String {
    markdown_table([words("gate"), words("of"), figures("value"), words("result")], rows.iter().map(cells))
}
