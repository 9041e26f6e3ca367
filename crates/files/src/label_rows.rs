//! Labels one by one, for programs.

use llull_core::{Grade, Label, LabelSet};
use serde::Serialize;

use crate::mixed_labels::MixedLabels;

/// A label, and how far the judges' grades are apart.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LabelRow<'a> {
    /// The query.
    pub query: &'a str,
    /// The document.
    pub document: &'a str,
    /// The label.
    pub grade: Grade,
    /// The lowest grade that a judge gave.
    pub low: Grade,
    /// The highest.
    pub high: Grade,
    /// How many judges gave one.
    pub judges: u16,
    /// The number that measures read in place of the grade, if they do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// Where it comes from, if there are labels of two sources.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<&'a str>,
}

/// The labels one by one, with their sources if these were mixed.
pub fn label_rows<'a>(labels: &'a LabelSet, mixed: Option<&'a MixedLabels>) -> Vec<LabelRow<'a>> {
    let mut rows = Vec::with_capacity(labels.labelled());
    for (query, documents) in labels.iter() {
        rows.extend(documents.map(|(document, label)| {
            let Label { grade, low, high, judges, .. } = label;
            let mean = label.mean_grade();
            let source = mixed.map(|mixed| mixed.source(query, document));
            LabelRow { query, document, grade, low, high, judges, mean, source }
        }));
    }
    rows
}
