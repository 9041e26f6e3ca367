//! Reads, measures and prints.

use std::path::Path;

use anyhow::Result;
use llull::core::Seed;
use llull::data::{read_zscores, shown_path};
use llull::files::{measure_systems, read_labels_for};
use llull::metrics::{Measure, Relevant, TrecEvalMeasure, standardize};
use llull::report::text::count;
use llull::stats::BootstrapOptions;

use super::arguments::{depth, format};
use super::measured::Measured;
use super::names::{measures, named};
use super::rows::{SystemRows, write_rows};
use super::unlabelled::warn_of_unlabelled;
use super::{figures, forms};
use crate::args::{LabelsForm, MeasureArgs, MeasureFormat};
use crate::commands::{Context, each_run_once, judge, one_standard_input};
use crate::exit::{Exit, refuse};

pub(crate) fn run(context: &Context, args: &MeasureArgs) -> Result<Exit> {
    let Some(qrels) = &args.qrels else { return study(context, args) };
    if args.runs.is_empty() {
        refuse!(
            "no run to measure under {}; name at least one: llull measure {0} RUN... -m nDCG@10",
            qrels.display()
        );
    }
    one_standard_input(std::iter::once(qrels).chain(&args.runs).chain(&args.zscores))?;
    each_run_once(&args.runs)?;
    match args.labels {
        LabelsForm::Qrels => plain(context, args, qrels)?,
        _ if args.zscores.is_some() => {
            refuse!("--zscores goes with -R qrels alone: means and deviations are of its measures")
        }
        LabelsForm::QrelsJg => forms::judges(context, args, qrels)?,
        LabelsForm::Prefs | LabelsForm::QrelsPrefs => forms::preferences(context, args, qrels)?,
        LabelsForm::Subtopics => forms::subtopics(context, args, qrels)?,
    }
    Ok(Exit::Fine)
}

fn plain(context: &Context, args: &MeasureArgs, qrels: &Path) -> Result<()> {
    let named = named(args)?;
    let measures = measures(&named);
    let labels = read_labels_for(qrels, &measures)?;
    let systems = measure_systems(&labels.value, &args.runs, &measures, depth(args))?;
    for note in labels.notes.iter().chain(&systems.notes) {
        context.printer.warn(note);
    }
    let measured =
        Measured { named, scores: systems.value, options: BootstrapOptions::new(Seed(42)), topics: None };
    match &args.zscores {
        None => show(context, args, &measured),
        Some(file) => z_scores(context, args, &measured, file),
    }
}

fn study(context: &Context, args: &MeasureArgs) -> Result<Exit> {
    let asked = if args.measures.is_empty() && args.format != Some(MeasureFormat::Trec) {
        Vec::new()
    } else {
        named(args)?.iter().map(|named| named.measure.to_string()).collect()
    };
    let study = context.study(llull::config::Overrides { measures: asked, ..Default::default() })?;
    let known = judge::what_is_known(context, &study)?;
    let scores = study.measure(&known.inputs, &known.evidence.labels);
    let measures = scores.first().map_or(&[][..], |scores| &scores.measures);
    let name = |measure: &Measure| {
        measure.trec_eval_name(Relevant::default()).unwrap_or_else(|| measure.to_string())
    };
    let named = measures.iter().map(|measure| TrecEvalMeasure { name: name(measure), measure: *measure });
    let exit = judge::exit_of(&known.evidence);
    let measured = Measured {
        named: named.collect(),
        options: study.bootstrap(),
        topics: Some(known.inputs.topics),
        scores,
    };
    show(context, args, &measured)?;
    Ok(exit)
}

fn show(context: &Context, args: &MeasureArgs, measured: &Measured) -> Result<()> {
    for scores in &measured.scores {
        warn_of_unlabelled(context, &scores.run, &scores.unlabelled);
    }
    match format(context, args) {
        MeasureFormat::Table => figures::print_table(context, args, measured),
        MeasureFormat::Json => figures::print_json(context, args, measured),
        format => {
            let rows = |scores| SystemRows::of_scores(scores, &measured.named, args.answered_only);
            let mut systems: Vec<SystemRows<'_>> = measured.scores.iter().map(rows).collect();
            write_rows(context, args, format, &mut systems)
        }
    }
}

fn z_scores(context: &Context, args: &MeasureArgs, measured: &Measured, file: &Path) -> Result<()> {
    let read = read_zscores(file)?;
    if read.notes.constant > 0 {
        context.printer.warn(format!(
            "{}: {} a standard deviation of 0, in which another figure has no z-score",
            shown_path(file),
            match read.notes.constant {
                1 => "1 line has".to_owned(),
                n => format!("{} lines have", count(n)),
            }
        ));
    }
    for scores in &measured.scores {
        warn_of_unlabelled(context, &scores.run, &scores.unlabelled);
    }
    let level = args.level.unwrap_or_default();
    let scores: Vec<_> =
        measured.scores.iter().map(|scores| standardize(scores, level, &read.standardization)).collect();
    let rows = |scores| SystemRows::of_z_scores(scores, &measured.named, args.answered_only);
    let mut systems: Vec<SystemRows<'_>> = scores.iter().map(rows).collect();
    warn_of_unknown(context, file, &systems);
    let note = "Z: (figure - mean) / standard deviation of the query; a query that the file does not know is left out.";
    let conventions = forms::own_conventions(&measures(&measured.named)).chain([note.to_owned()]).collect();
    forms::show(context, args, &mut systems, conventions)
}

/// A measure that the file has for no topic.
fn warn_of_unknown(context: &Context, file: &Path, systems: &[SystemRows<'_>]) {
    let Some(system) = systems.first() else { return };
    for (column, overall) in system.columns.iter().zip(&system.overall) {
        if overall.value.is_none() && !column.of_run {
            context.printer.warn(format!("{}: no mean and deviation for {}", shown_path(file), column.name));
        }
    }
}
