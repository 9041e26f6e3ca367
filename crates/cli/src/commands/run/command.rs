//! `llull run`: the whole study.

use anyhow::Result;
use llull::Study;
use llull::report::text::counted;

use super::summary::{Detail, show, show_in_ci};
use crate::args::{Format, RunArgs, StoppingOptions};
use crate::commands::{Context, check_ci_outputs, judge, measure};
use crate::exit::{Exit, refuse};

/// The study with the labels that `--changed` keeps.
fn kept(context: &Context, args: &RunArgs, study: Study) -> Result<Study> {
    let Some(report) = &args.changed else { return Ok(study) };
    let (study, pairs) = study.keep_unchanged(report.as_deref(), !args.dry_run)?;
    context.printer.note(pairs);
    Ok(study)
}

pub(crate) fn run(context: &Context, args: &RunArgs) -> Result<Exit> {
    measure::parse(&args.measures)?;
    check_ci_outputs(context, &args.ci, context.global.json.then_some(Format::Json))?;
    if args.dry_run {
        if let Some(output) = args.ci.first() {
            refuse!("{output} writes a result, and --dry-run has none: leave out one of them");
        }
        let study = kept(context, args, context.study(args.overrides())?)?;
        return judge::dry_run(context, &study, args.batch);
    }
    let study = kept(context, args, context.study_to_ask(args.overrides())?)?;
    let stopping = StoppingOptions { batch: args.batch, ..args.stopping };
    if let Some(file) = &args.pairs {
        return judge::run_pairs(context, &study, file, stopping);
    }
    if args.no_report {
        return judge::run(context, &study, stopping);
    }
    let inputs = judge::inputs(context, &study)?;
    context.printer.note(format!(
        "pool: {} of {}, from {} {}",
        counted(inputs.pool.pairs(), "pair"),
        counted(inputs.pooled_queries(), "query"),
        counted(inputs.runs.len(), "system"),
        inputs.pooled()
    ));
    judge::note_base(context, &study, &inputs);
    study.save_prompts()?;
    let outcome = judge::ask(context, &study, &inputs, stopping)?;
    let (complete, evidence) = (outcome.is_complete(), outcome.evidence);
    let report = study.report(&inputs, &evidence)?;
    let report = if args.no_texts { report.without_texts() } else { report };
    let files = study.reports().write(&inputs, &report)?;
    context.printer.note("");
    show(context, &study, &files, report.summary(), Detail::of(args.verbose))?;
    let exit = match judge::exit_of_report(&evidence, report.summary()) {
        Exit::Fine if !complete => Exit::Incomplete,
        exit => exit,
    };
    show_in_ci(context, &args.ci, report.summary(), complete && evidence.is_complete())?;
    Ok(exit)
}
