//! Dicts of dicts, as pytrec_eval takes them.

use std::sync::{Mutex, PoisonError};

use llull::core::Hits;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};

use super::rows::LabelRows;
use super::{dict_of, type_of};
use crate::error::{of_inputs, of_value};
use crate::pool;

/// How many queries are handed over at once, so that handing over costs little.
const BATCH: usize = 8;

/// Adds the labels of a dict of dicts of grades.
pub(super) fn labels(labels: &Bound<'_, PyDict>, mut rows: LabelRows) -> PyResult<LabelRows> {
    for (query, documents) in labels.iter() {
        let documents = documents_of(&query, &documents)?;
        let query = identifier(&query)?;
        labels.py().check_signals()?;
        rows.add_query(query, documents.len());
        for (document, grade) in documents.iter() {
            let document = identifier(&document)?;
            rows.push(query, document, grade_of(&grade, query, document)?)?;
        }
    }
    Ok(rows)
}

/// Calls `each` with every query of a dict of dicts of scores, in other threads. This one holds Python, reads query
/// after query and hands them over; the others need no Python.
pub(super) fn each_query<T: Send>(
    run: &Bound<'_, PyDict>,
    each: &(impl Fn(&str, Hits) -> T + Sync),
) -> PyResult<Vec<(String, T)>> {
    let done: Mutex<Vec<(usize, String, T)>> = Mutex::new(Vec::with_capacity(run.len()));
    pool::pool()?.in_place_scope(|scope| -> PyResult<()> {
        let hand_over = |batch: Vec<(usize, String, Hits)>| {
            let done = &done;
            scope.spawn(move |_| {
                let results = batch.into_iter().map(|(place, query, hits)| {
                    let result = each(&query, hits);
                    (place, query, result)
                });
                let results: Vec<_> = results.collect();
                done.lock().unwrap_or_else(PoisonError::into_inner).extend(results);
            });
        };
        let mut batch = Vec::with_capacity(BATCH);
        for (place, (query, documents)) in run.iter().enumerate() {
            let documents = documents_of(&query, &documents)?;
            batch.push((place, identifier(&query)?.to_owned(), hits(&documents)?));
            if batch.len() == BATCH {
                run.py().check_signals()?;
                hand_over(std::mem::take(&mut batch));
            }
        }
        hand_over(batch);
        Ok(())
    })?;
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|(place, ..)| *place);
    Ok(done.into_iter().map(|(_, query, result)| (query, result)).collect())
}

fn hits(documents: &Bound<'_, PyDict>) -> PyResult<Hits> {
    let mut hits = Hits::default();
    hits.reserve(documents.len(), documents.len() * 8);
    for (document, score) in documents.iter() {
        let name = identifier(&document)?;
        push(&mut hits, name, score_of(&score, name)?)?;
    }
    Ok(hits)
}

/// Adds a result. A score that is not a number cannot be ranked.
pub(super) fn push(hits: &mut Hits, document: &str, score: f64) -> PyResult<()> {
    if score.is_nan() {
        return Err(of_value(format!(
            "document {document:?}: the score is NaN, which has no place in a ranking; leave the document out"
        )));
    }
    if hits.push(document, score) {
        return Ok(());
    }
    Err(of_inputs("more than 4 GiB of identifiers in one query; split the run"))
}

fn documents_of<'py>(
    query: &Bound<'py, PyAny>,
    documents: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    dict_of(documents)?.ok_or_else(|| {
        PyTypeError::new_err(format!(
            "query {query:?}: expected a dict of documents, found {}",
            type_of(documents)
        ))
    })
}

pub(super) fn identifier<'a>(id: &'a Bound<'_, PyAny>) -> PyResult<&'a str> {
    match id.cast::<PyString>() {
        Ok(id) => id.to_str(),
        Err(_) => Err(PyTypeError::new_err(format!(
            "identifier {id:?}: expected str, found {}; write str(...)",
            type_of(id)
        ))),
    }
}

/// A grade: a number, also one of numpy, or a `bool`, which is 0 or 1. NaN if it is missing: None, NaN and
/// pandas.NA.
pub(super) fn grade_of(grade: &Bound<'_, PyAny>, query: &str, document: &str) -> PyResult<f64> {
    if let Ok(grade) = grade.cast_exact::<PyInt>() {
        return Ok(grade.extract().unwrap_or(f64::INFINITY));
    }
    if is_missing(grade) {
        return Ok(f64::NAN);
    }
    match grade.extract::<f64>() {
        Ok(grade) => Ok(grade),
        // beyond every number of 64 bits
        Err(_) if grade.is_instance_of::<PyInt>() => Ok(f64::INFINITY),
        Err(error) if !error.is_instance_of::<PyTypeError>(grade.py()) => Err(error),
        Err(_) => Err(PyTypeError::new_err(format!(
            "query {query:?}, document {document:?}: the grade is {grade:?} ({}); expected a whole number",
            type_of(grade)
        ))),
    }
}

/// Whether a value stands for none: None or pandas.NA.
pub(crate) fn is_missing(value: &Bound<'_, PyAny>) -> bool {
    value.is_none() || type_of(value) == "NAType"
}

pub(super) fn score_of(score: &Bound<'_, PyAny>, document: &str) -> PyResult<f64> {
    if let Ok(score) = score.cast::<PyFloat>() {
        return Ok(score.value());
    }
    match score.extract::<f64>() {
        Ok(number) if !score.is_instance_of::<PyBool>() => Ok(number),
        Err(error) if !error.is_instance_of::<PyTypeError>(score.py()) => Err(error),
        _ => Err(PyTypeError::new_err(format!(
            "document {document:?}: the score is {score:?} ({}); expected a number",
            type_of(score)
        ))),
    }
}
