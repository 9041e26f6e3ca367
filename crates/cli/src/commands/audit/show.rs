//! What answers say about judges, on the terminal and as JSON.

use anyhow::Result;
use llull::audit::{Alarm, Concern};
use llull::report::{AlarmGate, JudgeAudit, audit_text, judge_audits};
use serde::Serialize;

use crate::commands::Context;

/// What answers say about judges, and whether that keeps to the bounds that were set.
#[derive(Serialize)]
pub(super) struct Audited {
    /// The gravest verdict.
    verdict: Concern,
    judges: Vec<JudgeAudit>,
    gates: Vec<AlarmGate>,
}

impl Audited {
    pub(super) fn new(alarms: &[Alarm], gates: Vec<AlarmGate>) -> Self {
        let judges = judge_audits(alarms);
        let verdict = judges.iter().map(|judge| judge.verdict).max().unwrap_or(Concern::Fine);
        Self { verdict, judges, gates }
    }

    /// Whether every bound is kept.
    pub(super) fn passes(&self) -> bool {
        self.gates.iter().all(|gate| gate.passed)
    }
}

/// Prints every judge's alarms, the gravest first, and what became of bounds.
pub(super) fn show(context: &Context, audited: &Audited) -> Result<()> {
    let printer = context.printer;
    if context.global.json {
        printer.result(serde_json::to_string_pretty(audited)?)?;
        return Ok(());
    }
    match audited.judges.as_slice() {
        [] => printer.result("nothing to audit: there is no answer in the ledger yet; llull run asks")?,
        judges => printer.result(audit_text(judges))?,
    }
    for gate in &audited.gates {
        printer.result(&gate.sentence)?;
    }
    Ok(())
}
