//! Labels, converted once.

use std::path::PathBuf;
use std::sync::Arc;

use llull::core::{Grade, Qrels};
use llull::data::{FrameKind, OptionForm, ReadQrelsOptions, RepeatedGrades};
use llull::files::{read_labels_for, read_labels_with};
use llull::metrics::Measure;
use llull::report::text::counted;
use llull::source_of_file;
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::label_set::PyLabelSet;
use super::rows::LabelRows;
use super::tables::Table;
use super::{dict_of, dicts, path_of, type_of};
use crate::error::{of_file, of_inputs, of_value};
use crate::frame;
use crate::pool;

/// Labels, with what reading them remarked.
#[derive(Clone)]
pub(crate) struct Labels {
    pub(crate) qrels: Arc<Qrels>,
    /// Their file, or a word for it.
    pub(crate) source: PathBuf,
    pub(crate) notes: Vec<String>,
}

impl Labels {
    /// Reads labels of any form. With `measures` a file may hold fractions, if these read only the order of grades.
    pub(crate) fn read(
        labels: &Bound<'_, PyAny>,
        measures: Option<&[Measure]>,
        round: bool,
        repeats: Option<&str>,
    ) -> PyResult<Self> {
        if let Ok(known) = labels.cast::<PyQrels>() {
            return Ok(known.get().0.clone());
        }
        if let Ok(known) = labels.cast::<PyLabelSet>() {
            return Ok(known.get().labels());
        }
        let repeats = repeats_of(repeats)?;
        if let Some(path) = path_of(labels)? {
            let options = ReadQrelsOptions {
                round,
                repeats,
                form: OptionForm::Argument,
                ..ReadQrelsOptions::default()
            };
            let read = pool::install(labels.py(), || match measures {
                Some(measures) => read_labels_for(&path, measures, options),
                None => read_labels_with(&path, options),
            })?;
            let read = read.map_err(of_file)?;
            return Ok(Self { qrels: Arc::new(read.value), source: path, notes: read.notes });
        }
        let rows = LabelRows::new(round, repeats);
        let rows = if let Some(dict) = dict_of(labels)? {
            dicts::labels(&dict, rows)?
        } else {
            match Table::read(labels, FrameKind::Labels)? {
                Some(table) => table.labels(rows)?,
                None if labels.try_iter().is_ok() => rows.read(labels)?,
                None => {
                    return Err(PyTypeError::new_err(format!(
                        "labels are a dict of dicts, a table, rows (query, document, grade) or a path; found {}",
                        type_of(labels)
                    )));
                }
            }
        };
        let notes = rows.notes();
        let qrels = rows.qrels();
        if qrels.pairs() == 0 {
            return Err(of_inputs("labels: no label in them"));
        }
        Ok(Self { notes, ..Self::in_memory(qrels) })
    }

    /// Labels that are in no file.
    pub(crate) fn in_memory(qrels: Qrels) -> Self {
        Self { qrels: Arc::new(qrels), source: "labels".into(), notes: Vec::new() }
    }

    /// The name of their file, or a word for them.
    pub(crate) fn name(&self) -> String {
        source_of_file(&self.source)
    }
}

pub(super) fn repeats_of(repeats: Option<&str>) -> PyResult<Option<RepeatedGrades>> {
    let parsed = repeats.map(|which| which.parse().map_err(|error| of_value(format!("repeats: {error}"))));
    parsed.transpose()
}

#[pyclass(name = "Qrels", module = "llull", frozen, mapping)]
pub(crate) struct PyQrels(pub(crate) Labels);

#[pymethods]
impl PyQrels {
    #[new]
    #[pyo3(signature = (labels, /, *, round = false, repeats = None))]
    fn new(labels: &Bound<'_, PyAny>, round: bool, repeats: Option<&str>) -> PyResult<Self> {
        Labels::read(labels, None, round, repeats).map(Self)
    }

    fn __len__(&self) -> usize {
        self.0.qrels.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, query: &str) -> PyResult<Bound<'py, PyDict>> {
        let topic = self.0.qrels.topic(query).ok_or_else(|| PyKeyError::new_err(query.to_owned()))?;
        grades(py, topic.iter())
    }

    fn __repr__(&self) -> String {
        let qrels = &self.0.qrels;
        format!("<Qrels: {}, {}>", counted(qrels.len(), "query"), counted(qrels.pairs(), "label"))
    }

    #[getter]
    fn notes(&self) -> Vec<String> {
        self.0.notes.clone()
    }

    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let queries = PyDict::new(py);
        for (query, topic) in self.0.qrels.iter() {
            queries.set_item(query, grades(py, topic.iter())?)?;
        }
        Ok(queries)
    }

    fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.columns(py)?.frame("pandas")
    }

    fn to_polars<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.columns(py)?.frame("polars")
    }
}

impl PyQrels {
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<frame::Columns<'py>> {
        let (mut queries, mut documents, mut relevance) = (Vec::new(), Vec::new(), Vec::new());
        for (query, topic) in self.0.qrels.iter() {
            for (document, grade) in topic.iter() {
                queries.push(query);
                documents.push(document);
                relevance.push(*grade);
            }
        }
        frame::Columns::new(py)
            .with("query_id", queries)?
            .with("doc_id", documents)?
            .with("relevance", relevance)
    }
}

fn grades<'a, 'py>(
    py: Python<'py>,
    labels: impl Iterator<Item = (&'a str, &'a Grade)>,
) -> PyResult<Bound<'py, PyDict>> {
    let documents = PyDict::new(py);
    for (document, grade) in labels {
        documents.set_item(document, *grade)?;
    }
    Ok(documents)
}
