//! `llull audit`: of a study's answers.

use anyhow::Result;
use llull::config::Overrides;
use llull::report::alarm_gates;

use super::show::{Audited, show};
use crate::args::AuditArgs;
use crate::commands::{Context, judge};
use crate::exit::Exit;

pub(crate) fn run(context: &Context, args: &AuditArgs) -> Result<Exit> {
    let overrides =
        Overrides { depth: args.depth, max_calls: args.asking.max_calls, ..args.study.overrides() };
    let probes = args.probes();
    let study = match probes.is_empty() || args.dry_run {
        true => context.study_as_last_run(overrides)?,
        false => context.study_to_ask(overrides)?,
    };
    let known = judge::what_is_known(context, &study)?;
    if args.dry_run {
        return judge::show_estimates(context, &study.probe_estimates(&known.inputs, &probes)?);
    }
    let mut alarms = study.alarms(&known.inputs, &known.evidence);
    let mut stopped = false;
    if !probes.is_empty() {
        let outcome = judge::probe(context, &study, &known.inputs, &probes)?;
        stopped = outcome.stopped.is_some();
        alarms.extend(outcome.alarms);
    }
    let gates = alarm_gates(&study.settings().alarms, &alarms, false);
    let audited = Audited::new(&alarms, gates);
    show(context, &audited)?;
    Ok(match audited.passes() {
        true if stopped => Exit::Incomplete,
        true => judge::exit_of(&known.evidence),
        false => Exit::GateFailed,
    })
}
