//! `llull label`: labels of a study, or the median of several judges' files.

use std::path::{Path, PathBuf};

use anyhow::Result;
use indexmap::IndexSet;
use llull::config::Overrides;
use llull::core::{Grade, Label, LabelSet, Qrels};
use llull::data::write_qrels;
use llull::files::read_labels;
use llull::label::by_median;
use llull::report::text::count;
use serde::Serialize;

use super::{Context, no_study_flag};
use crate::args::LabelArgs;
use crate::exit::{Exit, refuse};

/// The file of a study's labels.
const LABELS: &str = "labels.qrels";

pub(crate) fn run(context: &Context, args: &LabelArgs) -> Result<Exit> {
    if context.global.json && args.output.as_deref() == Some(Path::new("-")) {
        refuse!("--json and -o - both want standard output; leave out one");
    }
    super::each_rater_once(&args.qrels)?;
    let (labels, exit, own) = if args.qrels.is_empty() {
        let study = context.study_as_last_run(Overrides { depth: args.depth, ..args.study.overrides() })?;
        let known = super::judge::what_is_known(context, &study)?;
        let exit = super::judge::exit_of(&known.evidence);
        let file = study.labels_file(&known.evidence.labels);
        if args.output.is_none() && !context.global.json && file != LABELS {
            context.printer.warn("labels.qrels holds labels, and there is none to write now, so it was kept");
        }
        (known.evidence.labels, exit, Some((study.folder().clone(), file)))
    } else {
        no_study_flag(args.study.first())?;
        (of_files(context, &args.qrels)?, Exit::Fine, None)
    };
    if context.global.json {
        context.printer.result(serde_json::to_string_pretty(&rows(&labels))?)?;
    }
    let output = match (&args.output, context.global.json) {
        (Some(output), _) => output.clone(),
        (None, true) => return Ok(exit),
        (None, false) => own.as_ref().map_or_else(|| PathBuf::from("-"), |(folder, file)| folder.path(file)),
    };
    let mut bytes = Vec::new();
    write_qrels(&labels.qrels(), &mut bytes)?;
    match (&args.output, &own) {
        (None, Some((folder, file))) => folder.write(file, &bytes)?,
        _ => super::write_output(context, &output, &bytes)?,
    }
    context.printer.note(format!(
        "{} of {} pairs labelled{}",
        count(labels.labelled()),
        count(labels.asked()),
        if output == Path::new("-") { String::new() } else { format!(", in {}", output.display()) }
    ));
    Ok(exit)
}

/// A label, and how far the judges' grades are apart.
#[derive(Serialize)]
struct Row<'a> {
    query: &'a str,
    document: &'a str,
    grade: Grade,
    /// The lowest and the highest grade that a judge gave.
    low: Grade,
    high: Grade,
    judges: u16,
}

fn rows(labels: &LabelSet) -> Vec<Row<'_>> {
    let mut rows = Vec::with_capacity(labels.labelled());
    for (query, documents) in labels.iter() {
        rows.extend(documents.map(|(document, label)| {
            let Label { grade, low, high, judges } = label;
            Row { query, document, grade, low, high, judges }
        }));
    }
    rows
}

/// The median of several files, for every pair that one of them has.
fn of_files(context: &Context, files: &[PathBuf]) -> Result<LabelSet> {
    super::one_standard_input(files)?;
    let mut panel: Vec<Qrels> = Vec::new();
    for file in files {
        let read = read_labels(file)?;
        for note in &read.notes {
            context.printer.warn(note);
        }
        panel.push(read.value);
    }
    let pairs: IndexSet<(&str, &str)> = panel
        .iter()
        .flat_map(|qrels| {
            qrels
                .iter()
                .flat_map(|(topic, documents)| documents.keys().map(move |document| (topic, &**document)))
        })
        .collect();
    Ok(by_median(pairs.into_iter().map(|(topic, document)| {
        (topic, document, panel.iter().map(move |qrels| qrels.grade(topic, document)))
    })))
}
