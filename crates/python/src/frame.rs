//! Data frames and JSON of results.

use pyo3::exceptions::{PyImportError, PyModuleNotFoundError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Serialize;

use crate::error::of_inputs;

/// The columns of a frame, by name.
pub(crate) struct Columns<'py>(Bound<'py, PyDict>);

impl<'py> Columns<'py> {
    pub(crate) fn new(py: Python<'py>) -> Self {
        Self(PyDict::new(py))
    }

    pub(crate) fn with<T: IntoPyObject<'py>>(self, name: &str, values: Vec<T>) -> PyResult<Self> {
        self.with_all(name, values)
    }

    pub(crate) fn with_all(self, name: &str, values: impl IntoPyObject<'py>) -> PyResult<Self> {
        self.0.set_item(name, values)?;
        Ok(self)
    }

    /// A frame of this library, which is imported now: llull needs none by itself.
    pub(crate) fn frame(self, library: &str) -> PyResult<Bound<'py, PyAny>> {
        let py = self.0.py();
        let found =
            py.import(library).map_err(|error| match error.is_instance_of::<PyModuleNotFoundError>(py) {
                true => {
                    PyImportError::new_err(format!("to_{library} needs {library}: pip install {library}"))
                }
                false => error,
            })?;
        found.getattr("DataFrame")?.call1((self.0,))
    }
}

/// A value as Python reads its JSON: what the command prints with `--json`.
pub(crate) fn as_json<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(value).map_err(of_inputs)?;
    py.import("json")?.call_method1("loads", (text,))
}
