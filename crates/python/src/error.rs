//! The package's exceptions, with the command's words.

use std::fmt::Display;

use pyo3::PyErr;
use pyo3::exceptions::PyValueError;

// They are classes of Python's, because one of them has two bases.
mod classes {
    pyo3::import_exception!(llull._errors, FileError);
    pyo3::import_exception!(llull._errors, LlullError);
    pyo3::import_exception!(llull._errors, MeasureError);
}

/// A file that cannot be read, or that has not the form of its format.
pub(crate) fn of_file(error: impl Display) -> PyErr {
    classes::FileError::new_err(error.to_string())
}

/// A measure that does not exist.
pub(crate) fn of_measure(error: impl Display) -> PyErr {
    classes::MeasureError::new_err(error.to_string())
}

/// What cannot be computed of these inputs.
pub(crate) fn of_inputs(error: impl Display) -> PyErr {
    classes::LlullError::new_err(error.to_string())
}

/// An argument out of its range.
pub(crate) fn of_value(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}
