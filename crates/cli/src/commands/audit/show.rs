//! Shows judge checks on the terminal and as JSON.

use anyhow::Result;
use llull::KnownJudgeFigures;
use llull::audit::{CheckOutcome, JudgeCheck};
use llull::report::{CheckGate, JudgeAudit, audit_text, judge_audits};
use serde::Serialize;
use serde_json::{Map, Value};

use super::judges;
use crate::commands::Context;

/// The checks of judges, and whether they meet the given bounds.
#[derive(Serialize)]
pub(super) struct Audited {
    /// The gravest outcome.
    outcome: CheckOutcome,
    judges: Vec<JudgeAudit>,
    gates: Vec<CheckGate>,
    /// Every judge in the ledger, those of earlier rubrics too.
    comparison: Vec<KnownJudgeFigures>,
}

impl Audited {
    pub(super) fn new(
        checks: &[JudgeCheck],
        gates: Vec<CheckGate>,
        comparison: Vec<KnownJudgeFigures>,
    ) -> Self {
        let judges = judge_audits(checks);
        let outcome = judges.iter().map(|judge| judge.outcome).max().unwrap_or(CheckOutcome::Passed);
        Self { outcome, judges, gates, comparison }
    }

    /// As JSON: of each judge its checks by kind too, and of an only judge the same above all.
    fn as_json(&self) -> Result<Value> {
        let mut value = serde_json::to_value(self)?;
        let by_kind: Vec<Map<String, Value>> = self.judges.iter().map(by_kind).collect::<Result<_>>()?;
        if let Some(judges) = value.get_mut("judges").and_then(Value::as_array_mut) {
            for (judge, kinds) in judges.iter_mut().zip(&by_kind) {
                if let Some(judge) = judge.as_object_mut() {
                    kinds.iter().for_each(|(kind, check)| {
                        judge.entry(kind.clone()).or_insert_with(|| check.clone());
                    });
                }
            }
        }
        if let ([kinds], Some(value)) = (by_kind.as_slice(), value.as_object_mut()) {
            value.extend(kinds.clone());
        }
        Ok(value)
    }

    /// Whether every bound is met.
    pub(super) fn passes(&self) -> bool {
        self.gates.iter().all(|gate| gate.passed)
    }
}

/// Returns a judge's checks by kind; `position` has all effects of the order of documents.
fn by_kind(judge: &JudgeAudit) -> Result<Map<String, Value>> {
    let mut kinds = Map::new();
    for check in &judge.checks {
        kinds.insert(check.kind.name().to_owned(), serde_json::to_value(check)?);
    }
    kinds.insert("position".to_owned(), serde_json::to_value(&judge.position)?);
    Ok(kinds)
}

/// Prints every judge's checks, the gravest first, and the outcomes of bounds.
pub(super) fn show(context: &Context, audited: &Audited) -> Result<()> {
    let printer = context.printer;
    if context.shows_json(&audited.as_json()?)? {
        return Ok(());
    }
    match audited.judges.as_slice() {
        [] => printer.result("nothing to audit: there is no answer in the ledger yet; llull run asks")?,
        judges => {
            printer.result(audit_text(judges))?;
            printer.note("--json shows the figures of every check");
        }
    }
    for gate in &audited.gates {
        printer.result(&gate.sentence)?;
    }
    if !audited.comparison.is_empty() {
        printer.result("")?;
        judges::show(context, &audited.comparison)?;
    }
    Ok(())
}
