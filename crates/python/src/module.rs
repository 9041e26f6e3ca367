//! The module `llull._llull`.

use std::ffi::OsString;

use pyo3::prelude::*;

use crate::agree::PyAgreement;
use crate::compare::{PyComparison, PyDifference};
use crate::inputs::{PyLabelSet, PyQrels, PyRun};
use crate::measure::{PyScores, PySystemScores};
use crate::prompt::PyPrompt;
use crate::rank::PyRanking;
use crate::sample::PySample;
use crate::server::PyStudyServer;
use crate::study::{PyStudyFolder, PyStudyOptions, PyStudyReport};
use crate::table::PyTable;
use crate::tournament::PyTournament;
use crate::{agree, compare, evaluate, label, measure, prompt, rank, sample, study};

/// The command, with its arguments, the program's name first. Returns the exit code.
#[pyfunction]
fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| llull_cli::run(arguments))
}

#[pymodule]
fn _llull(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<PyQrels>()?;
    module.add_class::<PyRun>()?;
    module.add_class::<PyScores>()?;
    module.add_class::<PySystemScores>()?;
    module.add_class::<PyComparison>()?;
    module.add_class::<PyDifference>()?;
    module.add_class::<PyTable>()?;
    module.add_class::<PyAgreement>()?;
    module.add_class::<PyLabelSet>()?;
    module.add_class::<PyRanking>()?;
    module.add_class::<PySample>()?;
    module.add_class::<PyStudyFolder>()?;
    module.add_class::<PyStudyOptions>()?;
    module.add_class::<PyStudyReport>()?;
    module.add_class::<PyStudyServer>()?;
    module.add_class::<PyPrompt>()?;
    module.add_class::<PyTournament>()?;
    module.add_function(wrap_pyfunction!(measure::measure, module)?)?;
    module.add_function(wrap_pyfunction!(measure::query_values, module)?)?;
    module.add_function(wrap_pyfunction!(measure::measure_name, module)?)?;
    module.add_function(wrap_pyfunction!(compare::compare, module)?)?;
    module.add_function(wrap_pyfunction!(agree::agree, module)?)?;
    module.add_function(wrap_pyfunction!(compare::correct, module)?)?;
    module.add_function(wrap_pyfunction!(label::label, module)?)?;
    module.add_function(wrap_pyfunction!(rank::rank, module)?)?;
    module.add_function(wrap_pyfunction!(sample::sample, module)?)?;
    module.add_function(wrap_pyfunction!(evaluate::dataset_queries, module)?)?;
    module.add_function(wrap_pyfunction!(evaluate::evaluate_files, module)?)?;
    module.add_function(wrap_pyfunction!(study::read_queries, module)?)?;
    module.add_function(wrap_pyfunction!(prompt::rubric_text, module)?)?;
    module.add_function(wrap_pyfunction!(run_command, module)?)?;
    Ok(())
}
