//! The results of one system, converted once.

use std::sync::Arc;

use llull::core::Run;
use llull::report::text::counted;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::arrays;
use super::results::Results;
use crate::frame::Columns;

#[pyclass(name = "Run", module = "llull", frozen)]
pub(crate) struct PyRun {
    pub(crate) run: Arc<Run>,
    pub(crate) notes: Vec<String>,
}

#[pymethods]
impl PyRun {
    #[new]
    #[pyo3(signature = (results, /, *, name = None))]
    fn new(py: Python<'_>, results: &Bound<'_, PyAny>, name: Option<String>) -> PyResult<Self> {
        let (run, notes) = Results::read(results)?.run(py, name, false, None)?;
        Ok(Self { run, notes })
    }

    #[staticmethod]
    #[pyo3(signature = (queries, documents, scores = None, *, ids = None, name = None))]
    fn from_arrays(
        py: Python<'_>,
        queries: Vec<String>,
        documents: &Bound<'_, PyAny>,
        scores: Option<&Bound<'_, PyAny>>,
        ids: Option<Vec<String>>,
        name: Option<String>,
    ) -> PyResult<Self> {
        let rows = arrays::results(&queries, documents, scores, ids.as_deref())?;
        let (run, notes) = Results::Rows(rows).run(py, name, false, None)?;
        Ok(Self { run, notes })
    }

    fn __len__(&self) -> usize {
        self.run.len()
    }

    fn __repr__(&self) -> String {
        let results: usize = self.run.iter().map(|(_, ranking)| ranking.len()).sum();
        format!(
            "<Run {}: {}, {}>",
            self.run.name,
            counted(self.run.len(), "query"),
            counted(results, "result")
        )
    }

    #[getter]
    fn name(&self) -> &str {
        &self.run.name
    }

    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let queries = PyDict::new(py);
        for (query, ranking) in self.run.iter() {
            let documents = PyDict::new(py);
            for hit in ranking.iter() {
                documents.set_item(hit.document, hit.score)?;
            }
            queries.set_item(query, documents)?;
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

impl PyRun {
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Columns<'py>> {
        let (mut queries, mut documents, mut scores, mut ranks) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (query, ranking) in self.run.iter() {
            for hit in ranking.iter() {
                queries.push(query);
                documents.push(hit.document);
                scores.push(hit.score);
                ranks.push(hit.rank);
            }
        }
        let columns = Columns::new(py).with("query_id", queries)?.with("doc_id", documents)?;
        columns.with("score", scores)?.with("rank", ranks)
    }
}
