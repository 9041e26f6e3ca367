//! The results of systems, in whatever form Python has them.

use std::path::PathBuf;
use std::sync::Arc;

use llull::core::{Hits, Ranking, Run};
use llull::data::FrameKind;
use llull::files::{RunForm, read_system, system_names};
use llull::report::text::counted;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use rayon::prelude::*;

use super::dicts;
use super::rows::ResultRows;
use super::run::PyRun;
use super::tables::Table;
use super::{dict_of, path_of, type_of};
use crate::error::{of_file, of_value};
use crate::pool;

/// The name of results that have none.
const UNNAMED: &str = "run";

/// The results of one system.
pub(crate) enum Results<'py> {
    Dict(Bound<'py, PyDict>),
    Table(Table),
    Rows(ResultRows),
    Path(PathBuf),
    Converted(Arc<Run>, Vec<String>),
}

/// Results under a system's name.
pub(crate) type NamedResults<'py> = (String, Results<'py>);

impl<'py> Results<'py> {
    pub(crate) fn read(results: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(known) = results.cast::<PyRun>() {
            let known = known.get();
            return Ok(Self::Converted(Arc::clone(&known.run), known.notes.clone()));
        }
        if let Some(path) = path_of(results)? {
            return Ok(Self::Path(path));
        }
        if let Some(dict) = dict_of(results)? {
            return Ok(Self::Dict(dict));
        }
        match Table::read(results, FrameKind::Results)? {
            Some(table) => Ok(Self::Table(table)),
            None if results.try_iter().is_ok() => ResultRows::read(results).map(Self::Rows),
            None => Err(PyTypeError::new_err(format!(
                "results are a dict of dicts, a table, rows (query, document, score) or a path; found {}",
                type_of(results)
            ))),
        }
    }

    /// The name of these results: the given one, or that of their file.
    pub(crate) fn name(&self, given: Option<&str>) -> String {
        match (given, self) {
            (Some(given), _) => given.to_owned(),
            (None, Self::Converted(run, _)) => run.name.clone(),
            (None, Self::Path(path)) => {
                system_names(std::slice::from_ref(path)).pop().unwrap_or_else(|| UNNAMED.to_owned())
            }
            (None, _) => UNNAMED.to_owned(),
        }
    }

    /// Converts the results to a run of at most `depth` documents a query, with what reading them remarked.
    pub(crate) fn run(
        self,
        py: Python<'_>,
        name: Option<String>,
        float32: bool,
        depth: Option<usize>,
    ) -> PyResult<(Arc<Run>, Vec<String>)> {
        let name = self.name(name.as_deref());
        match self {
            Self::Path(path) => {
                let form = RunForm { float32, ..RunForm::default() };
                let read = pool::abandonable(py, move || read_system(&path, &name, depth, form))?
                    .map_err(of_file)?;
                Ok((Arc::new(read.value), read.notes))
            }
            Self::Converted(run, notes) if run.name == name && !float32 && depth.is_none() => {
                Ok((run, notes))
            }
            other => {
                let mut notes =
                    if let Self::Converted(_, notes) = &other { notes.clone() } else { Vec::new() };
                let ranked = other.each_query(py, &|_: &str, hits: Hits| ranked(hits, float32, depth))?;
                let (mut run, mut all_repeated) = (Run::new(name), 0);
                for (query, (ranking, repeated)) in ranked {
                    run.insert(query, ranking);
                    all_repeated += repeated;
                }
                notes.extend(note_of_repeated(&run.name, all_repeated));
                Ok((Arc::new(run), notes))
            }
        }
    }

    /// Calls `each` with every query and its documents, on all cores. Files are read whole first.
    ///
    /// # Errors
    /// Returns an error if an identifier is no text or a score no number.
    pub(crate) fn each_query<T: Send>(
        &self,
        py: Python<'_>,
        each: &(impl Fn(&str, Hits) -> T + Sync),
    ) -> PyResult<Vec<(String, T)>> {
        match self {
            Self::Dict(dict) => dicts::each_query(dict, each),
            Self::Table(table) => table.each_query(py, each),
            Self::Rows(rows) => pool::install(py, || {
                let queries: Vec<(&str, &Hits)> = rows.queries().collect();
                let done = queries.into_par_iter().with_min_len(4);
                done.map(|(query, hits)| (query.to_owned(), each(query, hits.clone()))).collect()
            }),
            Self::Converted(run, _) => pool::install(py, || {
                let queries: Vec<(&str, &Ranking)> = run.iter().collect();
                let done = queries.into_par_iter().with_min_len(4);
                let hits = |ranking: &Ranking| ranking.iter().map(|hit| (hit.document, hit.score)).collect();
                done.map(|(query, ranking)| (query.to_owned(), each(query, hits(ranking)))).collect()
            }),
            Self::Path(path) => {
                let read = pool::install(py, || read_system(path, UNNAMED, None, RunForm::default()))?;
                let run = read.map_err(of_file)?;
                Self::Converted(Arc::new(run.value), run.notes).each_query(py, each)
            }
        }
    }
}

/// The ranking of documents, by scores as 64-bit numbers or as 32-bit ones, and how many rows repeat a document.
pub(crate) fn ranked(hits: Hits, float32: bool, depth: Option<usize>) -> (Ranking, usize) {
    let hits = match float32 {
        true => hits.iter().map(|(document, score)| (document, f64::from(score as f32))).collect(),
        false => hits,
    };
    let ranked = hits.rank(0..hits.len(), depth);
    (ranked.kept, hits.len() - ranked.distinct)
}

/// What the command remarks on the file of such a run.
pub(crate) fn note_of_repeated(name: &str, rows: usize) -> Option<String> {
    let repeat = if rows == 1 { "repeats" } else { "repeat" };
    let rows = (rows > 0).then(|| counted(rows, "row"))?;
    Some(format!("{name}: {rows} {repeat} a document of the same query; the better place was kept"))
}

/// The results of several systems by name; `None` if these are the results of one.
///
/// Several are a mapping from names to results, or a list of paths and runs.
pub(crate) fn named_results<'py>(runs: &Bound<'py, PyAny>) -> PyResult<Option<Vec<NamedResults<'py>>>> {
    if let Some(dict) = dict_of(runs)? {
        if !holds_systems(&dict)? {
            return Ok(None);
        }
        let named = dict.iter().map(|(name, results)| {
            let name: String = name.extract()?;
            let results = Results::read(&results).map_err(|error| of_system(&name, error, dict.py()))?;
            Ok((name, results))
        });
        return named.collect::<PyResult<Vec<_>>>().map(Some);
    }
    if !runs.is_instance_of::<PyList>() && !runs.is_instance_of::<PyTuple>() {
        return Ok(None);
    }
    let items: Vec<Bound<'py, PyAny>> = runs.try_iter()?.collect::<PyResult<_>>()?;
    let first = items.first();
    let is_system = |item: &Bound<'py, PyAny>| Ok(path_of(item)?.is_some() || item.is_instance_of::<PyRun>());
    if !first.map_or(PyResult::Ok(false), is_system)? {
        return Ok(None);
    }
    let systems: Vec<Results<'py>> = items.iter().map(Results::read).collect::<PyResult<_>>()?;
    let paths = systems.iter().filter_map(|system| match system {
        Results::Path(path) => Some(path.clone()),
        _ => None,
    });
    let mut names = system_names(&paths.collect::<Vec<_>>()).into_iter();
    let named = systems.into_iter().map(|system| {
        let name = if matches!(system, Results::Path(_)) { names.next() } else { None };
        (system.name(name.as_deref()), system)
    });
    Ok(Some(named.collect()))
}

/// Whether a dict holds systems, rather than the queries of one: its values are no dicts of numbers.
pub(super) fn holds_systems(dict: &Bound<'_, PyDict>) -> PyResult<bool> {
    for (_, value) in dict.iter() {
        let Some(inner) = dict_of(&value)? else { return Ok(true) };
        if let Some((_, value)) = inner.iter().next() {
            return Ok(dict_of(&value)?.is_some());
        }
    }
    Ok(false)
}

/// Names the system in an error about its results.
fn of_system(name: &str, error: PyErr, py: Python<'_>) -> PyErr {
    match error.is_instance_of::<PyTypeError>(py) {
        true => PyTypeError::new_err(format!("system {name:?}: {}", error.value(py))),
        false => error,
    }
}

/// Refuses two systems of one name.
pub(crate) fn check_names(names: &[&str]) -> PyResult<()> {
    match (0..names.len()).find(|at| names[..*at].contains(&names[*at])) {
        Some(repeated) => {
            Err(of_value(format!("{}: this system is named twice; name each once", names[repeated])))
        }
        None => Ok(()),
    }
}
