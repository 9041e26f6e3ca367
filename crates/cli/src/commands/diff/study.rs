//! Compares two sides of a study.

use anyhow::Result;
use llull::config::Overrides;
use llull::report::diff::{DiffInputs, LabelDiff};

use super::sides::{Side, explain};
use crate::args::DiffArgs;
use crate::commands::{Context, judge, measure};
use crate::exit::refuse;

pub(super) fn compared(context: &Context, args: &DiffArgs) -> Result<LabelDiff> {
    measure::parse_each(&args.measures)?;
    let study = context.study_as_last_run(overrides(args)?)?;
    let bootstrap = study.bootstrap();
    let inputs = judge::inputs(context, &study)?;
    let now = study.evidence(&inputs)?;
    let typed = [args.a.as_deref().unwrap_or("earlier"), args.b.as_deref().unwrap_or("now")];
    let [a, b] = typed.map(|typed| Side::read(context, args, &study, &inputs, &now, typed));
    let (a, b) = (a?, b?);
    let several = study.settings().systems.len() > 1;
    let measured = a.measures() && b.measures();
    if !measured {
        context.printer.note(
            "annotators labelled a sample, under which no system is measured; llull compare corrects by it",
        );
    }
    let compared = DiffInputs {
        runs: if measured { &inputs.runs } else { &[] },
        measures: study.settings().measures.clone(),
        baseline: several.then(|| study.settings().compare.baseline.clone()),
        changed: a.changes_to(&b),
        most: args.limit,
        ..DiffInputs::of_labels(a.labels(), b.labels())
    };
    let mut diff = LabelDiff::new(compared, &bootstrap)?;
    explain(&mut diff, &a, &b);
    Ok(diff)
}

/// The settings that override llull.toml.
pub(super) fn overrides(args: &DiffArgs) -> Result<Overrides> {
    if !args.runs.is_empty() {
        refuse!("--runs is about two files of labels; in a study its systems are measured");
    }
    let own = Overrides {
        measures: args.measures.clone(),
        baseline: args.baseline.clone(),
        ..Overrides::default()
    };
    Ok(args.judges.overrides().over(own))
}
