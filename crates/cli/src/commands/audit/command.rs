//! `llull audit`: checks judges by the answers of a study or file.

use anyhow::Result;
use llull::audit::AuditOptions;
use llull::audit_pairs;
use llull::config::Overrides;
use llull::report::check_gates;
use llull::stats::BootstrapOptions;

use super::judges::known_judges;
use super::show::{Audited, show};
use crate::args::AuditArgs;
use crate::commands::{Context, judge, no_study_flag};
use crate::exit::Exit;

pub(crate) fn run(context: &Context, args: &AuditArgs) -> Result<Exit> {
    if let Some(file) = &args.file {
        no_study_flag(study_flag(args))?;
        let BootstrapOptions { seed, confidence, .. } = context.intervals()?;
        let options = AuditOptions { confidence, ..AuditOptions::new(seed) };
        let value = audit_pairs(file, &context.global.columns, args.random_order, &options)?;
        context.say_columns();
        show(context, &Audited::new(&value, Vec::new(), Vec::new()))?;
        return Ok(Exit::Fine);
    }
    let overrides = Overrides {
        max_calls: args.asking.max_calls,
        paraphrases: args.paraphrases.clone(),
        control: args.control.clone(),
        ..args.study.overrides()
    };
    let probes = args.probes();
    let study = match probes.is_empty() || args.dry_run {
        true => context.study_as_last_run(overrides)?,
        // The judges to audit; a dry run estimates the price of their probes.
        false => context.study_to_ask_as_last_run(overrides)?,
    };
    let mut known = judge::load_study(context, &study)?;
    if args.dry_run {
        let estimates = study.estimates().of_probes(&known.inputs, &probes)?;
        if estimates.is_empty() && !context.global.json {
            context.printer.result("no judge to probe: llull does not probe judges that compute answers")?;
        }
        judge::show_estimates(context, &estimates)?;
        return Ok(Exit::Fine);
    }
    let mut stopped = false;
    if !probes.is_empty() {
        let outcome = judge::probe(context, &study, &known.inputs, &probes)?;
        stopped = outcome.stopped.is_some();
        known.evidence = study.evidence(&known.inputs)?;
    }
    let checks = study.judge_checks(&known.inputs, &known.evidence);
    let gates = check_gates(&study.settings().checks, &checks, false);
    let audited = Audited::new(&checks, gates, known_judges(&study, args.sort)?);
    show(context, &audited)?;
    Ok(match audited.passes() {
        true if stopped => Exit::Incomplete,
        true => judge::exit_of(&known.evidence),
        false => Exit::GateFailed,
    })
}

/// The first flag that was given and that is about a study.
fn study_flag(args: &AuditArgs) -> Option<&'static str> {
    let probes = (!args.probes().is_empty()).then_some("--probe");
    args.study.first().or(probes).or(args.dry_run.then_some("--dry-run"))
}
