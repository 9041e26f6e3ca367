//! Labels that llull made, with their evidence.

use llull::core::Qrels;
use llull::report::text::counted;
use pyo3::prelude::*;
use serde::Serialize;

use super::labels::{Labels, PyQrels};
use crate::table::{Column, PyTable};

/// The columns of a table of labels.
pub(crate) type LabelColumns = Vec<(&'static str, Column)>;

/// Labels, and their evidence. They go wherever labels go.
#[pyclass(name = "LabelSet", module = "llull", frozen, extends = PyTable)]
pub(crate) struct PyLabelSet {
    labels: Labels,
}

impl PyLabelSet {
    pub(crate) fn labels(&self) -> Labels {
        self.labels.clone()
    }

    pub(crate) fn new<'py>(
        py: Python<'py>,
        qrels: Qrels,
        columns: LabelColumns,
        json: &impl Serialize,
        notes: Vec<String>,
    ) -> PyResult<Bound<'py, Self>> {
        let text =
            format!("<LabelSet: {}, {}>", counted(qrels.len(), "query"), counted(qrels.pairs(), "label"));
        let table = PyTable::new(json, columns, text, notes)?;
        Bound::new(py, (Self { labels: Labels::in_memory(qrels) }, table))
    }
}

#[pymethods]
impl PyLabelSet {
    fn to_qrels(&self) -> PyQrels {
        PyQrels(self.labels())
    }
}
