//! Compares two files of labels.

use std::path::{Path, PathBuf};

use anyhow::Result;
use llull::config::Overrides;
use llull::core::Run;
use llull::files::{LabelsFile, read_systems, system_names};
use llull::report::diff::{DiffInputs, LabelDiff};

use crate::args::DiffArgs;
use crate::commands::{
    Context, check_identifiers, each_run_once, measure, named_labels, one_standard_input, place,
};
use crate::exit::refuse;

pub(super) fn compared(context: &Context, args: &DiffArgs, sides: [&String; 2]) -> Result<LabelDiff> {
    let files = sides.map(PathBuf::from);
    of_files_alone(args)?;
    one_standard_input(files.iter().chain(&args.runs))?;
    each_run_once(&args.runs)?;
    let bootstrap = context.intervals()?;
    if args.runs.is_empty() && (!args.measures.is_empty() || args.baseline.is_some()) {
        refuse!(
            "there are no systems to measure: --measure and --baseline need runs. Name them behind --runs:\n  \
             llull diff A B --runs RUN..."
        );
    }
    let measures = if args.runs.is_empty() { Vec::new() } else { measure::parse(&args.measures)? };
    let [a, b] = &files;
    let labels = |file: &Path| {
        named_labels(context, file, &files, args.label_reading.options(&context.global.columns))
    };
    let path = a;
    let (a, b) = (labels(a)?, labels(b)?);
    let read = read_systems(
        &args.runs,
        &measures,
        args.run_reading.form(&context.global.columns),
        [&a.qrels, &b.qrels],
    )?;
    context.printer.remarks(&read.notes);
    let file = LabelsFile { path, qrels: &a.qrels };
    check_identifiers(context, &file, (&args.runs, &read.value), args.run_reading)?;
    let inputs = DiffInputs {
        runs: &read.value,
        baseline: baseline(args, &read.value)?,
        most: args.limit,
        measures,
        ..DiffInputs::of_labels(a, b)
    };
    Ok(LabelDiff::new(inputs, &bootstrap)?)
}

/// The system that the others are compared with: the one that is named, or else the first.
pub(super) fn baseline(args: &DiffArgs, runs: &[Run]) -> Result<Option<String>> {
    let Some(wanted) = &args.baseline else { return Ok(runs.first().map(|run| run.name.clone())) };
    let file = place(Path::new(wanted));
    let at = args.runs.iter().position(|run| place(run) == file);
    let by_file = at.and_then(|at| runs.get(at));
    let found = by_file.or_else(|| runs.iter().find(|run| run.name == *wanted));
    match found {
        Some(run) => Ok(Some(run.name.clone())),
        None => refuse!(
            "--baseline {wanted}: neither a run's file nor one of the systems, which are {}",
            system_names(&args.runs).join(", ")
        ),
    }
}

/// Refuses options about judges beside plain files.
fn of_files_alone(args: &DiffArgs) -> Result<()> {
    let about_judges = Overrides { seed: None, ..args.judges.overrides() };
    if args.sample.is_some() || about_judges != Overrides::default() {
        refuse!("--sample and the options of judging are about a study, and files are given; leave them out");
    }
    Ok(())
}

/// Whether a side is a file of labels.
pub(super) fn is_file(side: &str) -> bool {
    side == "-" || Path::new(side).is_file()
}
