//! Arrays of shape (queries, depth) by the buffer protocol: what faiss, hnswlib and others return.

use llull::core::Hits;
use pyo3::buffer::{Element, PyBuffer, PyUntypedBuffer};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::dicts::push;
use super::rows::ResultRows;
use super::type_of;
use crate::error::of_value;

/// Reads the documents of each query, best first, as numbers. One below 0 is none, as in faiss.
///
/// Without scores the order counts. `ids` names the documents; without it a number is its own name, in decimal.
pub(super) fn results(
    queries: &[String],
    documents: &Bound<'_, PyAny>,
    scores: Option<&Bound<'_, PyAny>>,
    ids: Option<&[String]>,
) -> PyResult<ResultRows> {
    let (shape, documents) = whole_numbers(&array_of(documents)?)?;
    let [count, depth] = shape[..] else {
        return Err(of_value(format!("documents has shape {shape:?}; expected (queries, depth)")));
    };
    if count != queries.len() {
        return Err(of_value(format!("documents has {count} rows for {} queries", queries.len())));
    }
    let scores = scores.map(|scores| numbers(&array_of(scores)?)).transpose()?;
    if let Some((other, _)) = scores.as_ref().filter(|(other, _)| *other != shape) {
        return Err(of_value(format!(
            "scores has shape {other:?} and documents {shape:?}; expected the same"
        )));
    }
    let mut rows = ResultRows::default();
    for (place, query) in queries.iter().enumerate() {
        let mut hits = Hits::default();
        hits.reserve(depth, depth * 8);
        for at in 0..depth {
            let cell = place * depth + at;
            let Some(number) = documents.get(cell).copied().flatten() else { continue };
            let score = match &scores {
                Some((_, scores)) => scores.get(cell).copied().unwrap_or(f64::NAN),
                None => (depth - at) as f64,
            };
            match ids {
                None => push(&mut hits, &number.to_string(), score)?,
                Some(ids) => {
                    let id =
                        usize::try_from(number).ok().and_then(|number| ids.get(number)).ok_or_else(|| {
                            of_value(format!(
                                "query {query:?}: document {number} has no identifier; ids has {}",
                                ids.len()
                            ))
                        })?;
                    push(&mut hits, id, score)?;
                }
            }
        }
        rows.set(query, hits)?;
    }
    Ok(rows)
}

/// An object with the buffer protocol: the given one, or the array that it makes of itself.
fn array_of<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    match PyUntypedBuffer::get(array) {
        Err(_) if array.hasattr("__array__")? => array.call_method0("__array__"),
        _ => Ok(array.clone()),
    }
}

/// An array of whole numbers, with its shape; `None` for a number below 0.
fn whole_numbers(array: &Bound<'_, PyAny>) -> PyResult<(Vec<usize>, Vec<Option<u64>>)> {
    if let Some(found) = elements::<i64, _>(array, |number| u64::try_from(number).ok())? {
        return Ok(found);
    }
    if let Some(found) = elements::<i32, _>(array, |number| u64::try_from(number).ok())? {
        return Ok(found);
    }
    if let Some(found) = elements::<u32, _>(array, |number| Some(u64::from(number)))? {
        return Ok(found);
    }
    // hnswlib's
    let found = elements::<u64, _>(array, Some)?;
    found.ok_or_else(|| {
        PyTypeError::new_err(format!(
            "documents is {}; expected an array of whole numbers (int32, int64, uint32, uint64)",
            type_of(array)
        ))
    })
}

fn numbers(array: &Bound<'_, PyAny>) -> PyResult<(Vec<usize>, Vec<f64>)> {
    if let Some(found) = elements::<f32, f64>(array, f64::from)? {
        return Ok(found);
    }
    let found = elements::<f64, f64>(array, |number| number)?;
    found.ok_or_else(|| {
        PyTypeError::new_err(format!("scores is {}; expected an array of float32 or float64", type_of(array)))
    })
}

/// The elements of an array of this type, in the order of rows; `None` for another type or no array.
fn elements<T: Element + Copy, U>(
    array: &Bound<'_, PyAny>,
    convert: impl Fn(T) -> U,
) -> PyResult<Option<(Vec<usize>, Vec<U>)>> {
    let Ok(buffer) = PyBuffer::<T>::get(array) else { return Ok(None) };
    // The buffer's elements would be read as if they were of this machine's order.
    let foreign: &[u8] = if cfg!(target_endian = "little") { b">!" } else { b"<" };
    if buffer.format().to_bytes().first().is_some_and(|order| foreign.contains(order)) {
        return Err(of_value(
            "the array has another byte order than this machine; write array.astype(array.dtype.newbyteorder(\"=\"))",
        ));
    }
    let elements = buffer.to_vec(array.py())?;
    Ok(Some((buffer.shape().to_vec(), elements.into_iter().map(convert).collect())))
}
