//! `llull measure --zscores`

use std::path::Path;

use anyhow::Result;
use llull::data::{read_zscores, shown_path};
use llull::metrics::standardize;
use llull::report::text::counted;

use super::conventions::own_conventions;
use super::figures_without_intervals;
use super::measure_names::measures;
use super::measured::Measured;
use super::rows::SystemRows;
use super::warnings::warn_of_unlabelled;
use crate::args::MeasureArgs;
use crate::commands::Context;

pub(super) fn z_scores(
    context: &Context,
    args: &MeasureArgs,
    measured: &Measured,
    file: &Path,
) -> Result<()> {
    let read = read_zscores(file)?;
    if read.notes.constant > 0 {
        let have = if read.notes.constant == 1 { "has" } else { "have" };
        context.printer.warn(format!(
            "{}: {} {have} a standard deviation of 0, where no figure but the mean has a z-score",
            shown_path(file),
            counted(read.notes.constant, "line")
        ));
    }
    warn_of_unlabelled(context, &measured.scores);
    let level = args.level.unwrap_or_default();
    let scores: Vec<_> =
        measured.scores.iter().map(|scores| standardize(scores, level, &read.standardization)).collect();
    let rows = |scores| SystemRows::of_z_scores(scores, &measured.named, args.answered_only);
    let systems: Vec<SystemRows<'_>> = scores.iter().map(rows).collect();
    warn_of_unknown(context, file, &systems);
    let note =
        "Z: (figure - mean) / standard deviation of the query; a query that is not in the file is left out.";
    let conventions = own_conventions(&measures(&measured.named)).chain([note.to_owned()]).collect();
    figures_without_intervals::show(context, args, systems, conventions)
}

/// Warns of measures that the file has for no query.
fn warn_of_unknown(context: &Context, file: &Path, systems: &[SystemRows<'_>]) {
    let Some(system) = systems.first() else { return };
    for (column, overall) in system.columns.iter().zip(&system.overall) {
        if overall.value.is_none() && !column.of_run {
            context.printer.warn(format!("{}: no mean and deviation for {}", shown_path(file), column.name));
        }
    }
}
