//! The runs of several systems, read for one set of labels.

use std::sync::Arc;

use llull::core::{Identifiers, Run};
use llull::data::shown_path;
use llull::files::LabelsFile;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::error::of_inputs;
use crate::inputs::{Labels, check_names, named_results};
use crate::pool;

/// Reads the runs of several systems, to `depth` documents a query. Remarks and few shared identifiers become notes.
///
/// # Errors
/// Returns an error if a run shares no query or no document with the labels, or two systems have one name.
pub(crate) fn read_runs(
    py: Python<'_>,
    runs: &Bound<'_, PyAny>,
    labels: &Labels,
    (float32, depth): (bool, Option<usize>),
    notes: &mut Vec<String>,
) -> PyResult<Vec<Arc<Run>>> {
    let systems = named_results(runs)?.ok_or_else(|| {
        PyTypeError::new_err("runs are a dict from each system's name to its results, or a list of paths")
    })?;
    let mut read: Vec<Arc<Run>> = Vec::with_capacity(systems.len());
    for (name, results) in systems {
        let (run, remarks) = results.run(py, Some(name), float32, depth)?;
        let silent = remarks.is_empty();
        notes.extend(remarks);
        notes.extend(check_identifiers(py, labels, &run)?);
        notes.extend((run.is_empty() && silent).then(|| note_of_empty(&run.name)));
        read.push(run);
    }
    check_names(&read.iter().map(|run| run.name.as_str()).collect::<Vec<_>>())?;
    Ok(read)
}

/// Checks that a run shares queries and documents with the labels: none is an error, few a note.
pub(crate) fn check_identifiers(py: Python<'_>, labels: &Labels, run: &Run) -> PyResult<Option<String>> {
    let file = LabelsFile { path: &labels.source, qrels: &labels.qrels };
    let few = pool::install(py, || {
        if run.is_empty() || !file.few(run.iter().map(|(query, ranking)| file.shared(query, ranking))) {
            return Ok(None);
        }
        let known = Identifiers::of_labels(shown_path(&labels.source), &labels.qrels);
        Identifiers::of_run(run.name.clone(), run).check_overlap(&known)
    })?;
    Ok(few.map_err(of_inputs)?.map(|few| few.to_string()))
}

/// What the command remarks on the file of such a run.
pub(crate) fn note_of_empty(name: &str) -> String {
    format!("{name}: the run is empty, so every query counts as 0")
}
