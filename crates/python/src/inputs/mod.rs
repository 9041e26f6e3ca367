//! Labels and runs, in whatever form Python has them.

mod arrays;
mod dicts;
mod label_set;
mod label_sets;
mod labels;
mod results;
mod rows;
mod run;
mod tables;

pub(crate) use dicts::is_missing;
pub(crate) use label_set::{LabelColumns, PyLabelSet};
pub(crate) use label_sets::{LabelReading, NamedLabelSet, named_labels};
pub(crate) use labels::{Labels, PyQrels};
pub(crate) use results::{Results, check_names, named_results, note_of_repeated, ranked};
pub(crate) use run::PyRun;

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyString};

/// A path: a `str` or an `os.PathLike`.
pub(crate) fn path_of(object: &Bound<'_, PyAny>) -> PyResult<Option<PathBuf>> {
    let is_path = object.is_instance_of::<PyString>() || object.hasattr("__fspath__")?;
    if is_path { object.extract().map(Some) } else { Ok(None) }
}

/// The copy of a dict or of another mapping. Reading a value may run Python, which could change the dict meanwhile.
pub(crate) fn dict_of<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyDict>>> {
    if let Ok(dict) = object.cast::<PyDict>() {
        return dict.copy().map(Some);
    }
    let Ok(mapping) = object.cast::<PyMapping>() else { return Ok(None) };
    let dict = PyDict::new(object.py());
    dict.update(mapping)?;
    Ok(Some(dict))
}

/// The name of an object's type, for messages.
fn type_of(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "an object".to_owned(), |name| name.to_string())
}
