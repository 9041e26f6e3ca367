//! Prints labels one by one, for programs, and their counts.

use std::path::Path;

use llull::MixedLabels;
use llull::core::{GRADE_PARTS, Grade, Label, LabelSet};
use llull::report::text::count;
use serde::Serialize;

use super::Context;

/// A label, and how far the judges' grades are apart.
#[derive(Serialize)]
pub(super) struct Row<'a> {
    query: &'a str,
    document: &'a str,
    grade: Grade,
    /// The lowest and the highest grade that a judge gave.
    low: Grade,
    high: Grade,
    judges: u16,
    /// The number that measures read in place of the grade, if they do.
    #[serde(skip_serializing_if = "Option::is_none")]
    mean: Option<f64>,
    /// Where it comes from, if there are labels of two sources.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a str>,
}

/// The labels one by one, with their sources if these were mixed.
pub(super) fn rows<'a>(labels: &'a LabelSet, mixed: Option<&'a MixedLabels>) -> Vec<Row<'a>> {
    let mut rows = Vec::with_capacity(labels.labelled());
    for (query, documents) in labels.iter() {
        rows.extend(documents.map(|(document, label)| {
            let Label { grade, low, high, judges, mean } = label;
            let mean = mean.map(|parts| f64::from(parts) / f64::from(GRADE_PARTS));
            let source = mixed.map(|mixed| mixed.source(query, document));
            Row { query, document, grade, low, high, judges, mean, source }
        }));
    }
    rows
}

/// Notes how many pairs have a label, and where these were written.
pub(super) fn note_labelled(context: &Context, labels: &LabelSet, output: &Path) {
    let (labelled, all) = (count(labels.labelled()), count(labels.asked()));
    let place = if output == Path::new("-") { String::new() } else { format!(", in {}", output.display()) };
    context.printer.note(format!("{labelled} of {all} pairs labelled{place}"));
}
