//! `llull audit`: of a study's answers.

use anyhow::Result;
use llull::config::Overrides;
use llull::report::alarm_gates;

use super::show::{Audited, show};
use crate::args::AuditArgs;
use crate::commands::{Context, judge};
use crate::exit::Exit;

pub(crate) fn run(context: &Context, args: &AuditArgs) -> Result<Exit> {
    let study = context.study_as_last_run(Overrides { depth: args.depth, ..args.study.overrides() })?;
    let known = judge::what_is_known(context, &study)?;
    let alarms = study.alarms(&known.inputs, &known.evidence);
    let gates = alarm_gates(&study.settings().alarms, &alarms, false);
    let audited = Audited::new(&alarms, gates);
    show(context, &audited)?;
    Ok(if audited.passes() { judge::exit_of(&known.evidence) } else { Exit::GateFailed })
}
