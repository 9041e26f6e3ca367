//! `llull label --base`: fills the holes of existing labels.

use std::path::{Path, PathBuf};

use anyhow::Result;
use llull::core::LabelSet;
use llull::data::write_sourced_qrels;
use llull::report::text::{count, figure, percent, text_table};
use llull::{MixNames, MixedLabels, source_of_file};

use super::label_rows::rows;
use super::{Context, output_beside_json};
use crate::args::LabelArgs;
use crate::exit::refuse;

/// Fills the holes of the labels in a file, prints a summary, and writes the result.
pub(super) fn filled(context: &Context, args: &LabelArgs, labels: &LabelSet, base: &Path) -> Result<()> {
    let mut all = args.qrels.clone();
    all.push(base.to_owned());
    super::one_standard_input(&all)?;
    let read = super::named_labels(context, base, &all, args.label_reading.options())?;
    let names = MixNames::distinct(&source_of_file(base), &judge_name(&args.qrels));
    let asked = labels.iter().flat_map(|(query, documents)| {
        documents.map(move |(document, label)| (query, document, Some(label)))
    });
    let found = MixedLabels::new(read.qrels, asked, names, args.calibrate.unwrap_or_default())?;
    if let Some(reason) = &found.refused {
        refuse!("{}: {reason}", base.display());
    }
    context.printer.note(in_words(&found));
    if context.global.json {
        context.printer.json(&rows(&found.labels, Some(&found)))?;
    }
    let Some(output) = output_beside_json(context, args.output.as_deref()) else { return Ok(()) };
    let mut bytes = Vec::new();
    write_sourced_qrels(found.labels.qrels(), |query, document| found.source(query, document), &mut bytes)?;
    super::write_output(context, &output, &bytes)
}

/// The name of the judge with these files: after the file, or their number.
fn judge_name(files: &[PathBuf]) -> String {
    match files {
        [file] => source_of_file(file),
        files => format!("panel-of-{}", files.len()),
    }
}

fn in_words(found: &MixedLabels) -> String {
    let mix = &found.mix;
    let rows = mix.sources.iter().map(|source| {
        vec![source.name.clone(), count(source.pairs), percent(source.share), count(source.queries)]
    });
    let mut parts = vec![text_table(["labels of", "pairs", "share", "queries"], rows)];
    parts.extend(mix.in_words());
    if let Some(fitted) = &mix.calibration {
        let rows = fitted.grades.iter().map(|grade| {
            vec![grade.judge.to_string(), grade.grade.to_string(), figure(grade.expected), count(grade.pairs)]
        });
        parts.push(text_table(["the judge's grade", "becomes", "mean there", "pairs"], rows));
    }
    parts.extend(mix.agreement_in_words());
    parts.join("\n")
}
