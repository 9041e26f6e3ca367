//! Several sets of labels by name.

use std::path::PathBuf;
use std::sync::Arc;

use llull::agreement::NamedLabels;
use llull::data::{OptionForm, ReadQrelsOptions};
use llull::files::{labels_of_file, read_labels_in_order};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use super::labels::{Labels, repeats_of};
use super::results::holds_systems;
use super::{dict_of, path_of};
use crate::error::of_file;
use crate::pool;

/// How labels are read.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LabelReading<'a> {
    pub(crate) round: bool,
    pub(crate) repeats: Option<&'a str>,
}

/// Labels under a name.
pub(crate) struct NamedLabelSet {
    pub(crate) labels: Labels,
    named: NamedLabels,
}

impl NamedLabelSet {
    pub(crate) fn named(&self) -> NamedLabels {
        self.named.clone()
    }
}

/// Reads labels, or several sets of them: a dict from their names, or a list of paths. One set that is no file has the
/// `usual` name. Grades of files may be fractions, of which only the order counts, unless the labels are `graded`.
pub(crate) fn named_labels(
    labels: &Bound<'_, PyAny>,
    usual: &str,
    reading: LabelReading<'_>,
    graded: bool,
) -> PyResult<Vec<NamedLabelSet>> {
    if let Some(dict) = dict_of(labels)?
        && holds_systems(&dict)?
    {
        let each = dict.iter().map(|(name, labels)| {
            let name: String = name.extract()?;
            one(&labels, Name::Given(&name), reading, graded)
        });
        return each.collect();
    }
    if labels.is_instance_of::<PyList>() || labels.is_instance_of::<PyTuple>() {
        let items: Vec<Bound<'_, PyAny>> = labels.try_iter()?.collect::<PyResult<_>>()?;
        let files: Option<Vec<PathBuf>> = items.iter().map(path_of).collect::<PyResult<_>>()?;
        if let Some(files) = files.filter(|files| !files.is_empty()) {
            let each = items.iter().map(|item| one(item, Name::OfFile(&files), reading, graded));
            return each.collect();
        }
    }
    Ok(vec![one(labels, Name::Usual(usual), reading, graded)?])
}

/// Where the name of labels is from.
enum Name<'a> {
    Given(&'a str),
    /// The file, among these.
    OfFile(&'a [PathBuf]),
    /// This one, unless it is a file.
    Usual(&'a str),
}

fn one(
    labels: &Bound<'_, PyAny>,
    name: Name<'_>,
    reading: LabelReading<'_>,
    graded: bool,
) -> PyResult<NamedLabelSet> {
    let path = path_of(labels)?;
    let (read, order_only) = match &path {
        Some(path) if !graded => {
            let repeats = repeats_of(reading.repeats)?;
            let options = ReadQrelsOptions {
                round: reading.round,
                repeats,
                form: OptionForm::Argument,
                ..ReadQrelsOptions::default()
            };
            let read = pool::install(labels.py(), || read_labels_in_order(path, options))?;
            let read = read.map_err(of_file)?;
            let (qrels, order_only) = read.value;
            (Labels { qrels: Arc::new(qrels), source: path.clone(), notes: read.notes }, order_only)
        }
        _ => (Labels::read(labels, None, reading.round, reading.repeats)?, false),
    };
    let qrels = read.qrels.as_ref().clone();
    let named = match (name, &path) {
        (Name::Given(name), _) | (Name::Usual(name), None) => NamedLabels::new(name, qrels),
        (Name::OfFile(files), Some(path)) => labels_of_file(path, files, qrels),
        (Name::Usual(_), Some(path)) => labels_of_file(path, std::slice::from_ref(path), qrels),
        (Name::OfFile(_), None) => NamedLabels::new("labels", qrels),
    };
    Ok(NamedLabelSet { labels: read, named: named.in_order(order_only) })
}
