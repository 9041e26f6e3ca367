//! Tables by the Arrow PyCapsule interface: polars, pandas, pyarrow, DuckDB and others, without copying.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::RecordBatchStreamReader;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, Float64Array, LargeStringArray, RecordBatch, RecordBatchReader, StringArray,
    StringViewArray,
};
use arrow_pyarrow::FromPyArrow;
use arrow_schema::DataType;
use indexmap::IndexMap;
use llull::core::Hits;
use llull::data::{Columns, FrameColumns, FrameKind, frame_columns};
use pyo3::exceptions::{PyImportError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PySlice, PyString};
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use super::dicts::is_missing;
use super::rows::LabelRows;
use super::type_of;
use crate::error::{of_inputs, of_value};
use crate::pool;

/// The method of the interface.
const STREAM: &str = "__arrow_c_stream__";

/// The batches of a table, and the columns that count.
pub(crate) struct Table {
    batches: Vec<RecordBatch>,
    columns: FrameColumns,
}

/// A data frame of pandas without pyarrow, as a batch of the columns that count.
fn plain(frame: &Bound<'_, PyAny>, kind: FrameKind) -> PyResult<Table> {
    let labels: Vec<Bound<'_, PyAny>> = frame.getattr("columns")?.try_iter()?.collect::<PyResult<_>>()?;
    let names: Vec<String> = labels.iter().map(|label| label.str()?.extract()).collect::<PyResult<_>>()?;
    let columns = frame_columns(kind, &names, &Columns::default()).map_err(of_value)?;
    let values = |name: &str| -> PyResult<Vec<Bound<'_, PyAny>>> {
        let mut places = (0..names.len()).filter(|at| names.get(*at).is_some_and(|known| known == name));
        let (Some(place), None) = (places.next(), places.next()) else {
            return Err(of_value(format!("column {name:?} is there twice; name each column once")));
        };
        frame.getattr("iloc")?.get_item((PySlice::full(frame.py()), place))?.call_method0("tolist")?.extract()
    };
    let identifiers = |name: &str| -> PyResult<ArrayRef> {
        let texts = values(name)?.into_iter().map(|value| match value.cast::<PyString>() {
            Ok(text) => Ok(Some(text.to_str()?.to_owned())),
            Err(_) if value.cast_exact::<PyInt>().is_ok() => value.str()?.extract().map(Some),
            Err(_) if is_missing(&value) || is_nan(&value) => Ok(None),
            Err(_) => Err(no_identifier(name, &type_of(&value))),
        });
        Ok(Arc::new(texts.collect::<PyResult<StringArray>>()?))
    };
    let numbers = values(&columns.number)?.into_iter().map(|value| match value.extract::<f64>() {
        Ok(number) if !value.is_instance_of::<PyBool>() => Ok(Some(number)),
        _ if is_missing(&value) => Ok(None),
        _ => Err(no_number(&columns.number, &type_of(&value))),
    });
    let numbers: ArrayRef = Arc::new(numbers.collect::<PyResult<Float64Array>>()?);
    let batch = RecordBatch::try_from_iter([
        (&columns.query, identifiers(&columns.query)?),
        (&columns.document, identifiers(&columns.document)?),
        (&columns.number, numbers),
    ]);
    let batches = batch.map_err(of_inputs)?;
    Ok(Table { batches: if batches.num_rows() > 0 { vec![batches] } else { Vec::new() }, columns })
}

fn is_nan(value: &Bound<'_, PyAny>) -> bool {
    value.cast::<PyFloat>().is_ok_and(|number| number.value().is_nan())
}

fn no_identifier(column: &str, kind: &str) -> PyErr {
    PyTypeError::new_err(format!(
        "column {column:?} holds {kind}; expected texts or whole numbers, which identify"
    ))
}

fn no_number(column: &str, kind: &str) -> PyErr {
    PyTypeError::new_err(format!("column {column:?} holds {kind}; expected numbers"))
}

impl Table {
    /// Reads an object that has the interface; `None` if it has not.
    pub(super) fn read(object: &Bound<'_, PyAny>, kind: FrameKind) -> PyResult<Option<Self>> {
        if !object.hasattr(STREAM)? {
            return Ok(None);
        }
        let reader = match RecordBatchStreamReader::from_pyarrow_bound(object) {
            Err(error) if error.is_instance_of::<PyImportError>(object.py()) => {
                return plain(object, kind).map(Some);
            }
            reader => reader?,
        };
        let schema = reader.schema();
        let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
        let columns = frame_columns(kind, &names, &Columns::default()).map_err(of_value)?;
        let batches = reader.filter(|batch| batch.as_ref().map_or(true, |batch| batch.num_rows() > 0));
        let batches = batches.collect::<Result<_, _>>().map_err(of_inputs)?;
        Ok(Some(Self { batches, columns }))
    }

    /// Adds the rows to labels.
    pub(super) fn labels(&self, mut rows: LabelRows) -> PyResult<LabelRows> {
        for batch in &self.batches {
            let columns = BatchColumns::of(batch, &self.columns)?;
            for row in 0..batch.num_rows() {
                rows.push(columns.query.get(row), columns.document.get(row), columns.number.get(row))?;
            }
        }
        Ok(rows)
    }

    /// Calls `each` with every query, on all cores. The rows of a query may lie anywhere.
    pub(super) fn each_query<T: Send>(
        &self,
        py: Python<'_>,
        each: &(impl Fn(&str, Hits) -> T + Sync),
    ) -> PyResult<Vec<(String, T)>> {
        let batches: Vec<BatchColumns<'_>> = self
            .batches
            .iter()
            .map(|batch| BatchColumns::of(batch, &self.columns))
            .collect::<PyResult<_>>()?;
        let sign = if self.columns.is_rank { -1.0 } else { 1.0 };
        let done = pool::install(py, || {
            let queries = by_query(&batches);
            let queries: Vec<(&str, Vec<RowRange>)> = queries.into_iter().collect();
            let done = queries.into_par_iter().with_min_len(4).map(|(query, parts)| {
                let mut hits = Hits::default();
                let rows: usize = parts.iter().map(|(_, rows)| rows.len()).sum();
                hits.reserve(rows, rows * 8);
                for (batch, rows) in parts {
                    let Some(batch) = batches.get(batch) else { continue };
                    for row in rows {
                        let score = batch.number.get(row);
                        if score.is_nan() {
                            return Err(format!(
                                "query {query:?}, document {:?}: the score is NaN or missing, which has no place in a \
                                 ranking; leave the row out",
                                batch.document.get(row)
                            ));
                        }
                        if !hits.push(batch.document.get(row), sign * score) {
                            return Err("more than 4 GiB of identifiers in one query; split the run".to_owned());
                        }
                    }
                }
                Ok((query.to_owned(), each(query, hits)))
            });
            // gathered first, so that the error is that of the first query
            let done: Vec<Result<(String, T), String>> = done.collect();
            done.into_iter().collect::<Result<Vec<_>, _>>()
        })?;
        done.map_err(of_value)
    }
}

/// A batch, and rows of it that lie together.
type RowRange = (usize, Range<usize>);

/// The rows of each query, in the order in which queries come first: rows that lie together are one range.
fn by_query<'a>(batches: &'a [BatchColumns<'_>]) -> IndexMap<&'a str, Vec<RowRange>, FxBuildHasher> {
    let mut queries: IndexMap<&str, Vec<RowRange>, FxBuildHasher> = IndexMap::default();
    for (place, batch) in batches.iter().enumerate() {
        let mut begin = 0;
        for row in 1..=batch.rows {
            if row == batch.rows || batch.query.get(row) != batch.query.get(begin) {
                queries.entry(batch.query.get(begin)).or_default().push((place, begin..row));
                begin = row;
            }
        }
    }
    queries
}

/// The columns of a batch that count.
struct BatchColumns<'a> {
    rows: usize,
    query: Texts<'a>,
    document: Texts<'a>,
    number: Numbers<'a>,
}

impl<'a> BatchColumns<'a> {
    fn of(batch: &'a RecordBatch, columns: &FrameColumns) -> PyResult<Self> {
        let column = |name: &str| {
            let found = batch.column_by_name(name).map(AsRef::as_ref);
            found.ok_or_else(|| of_value(format!("a batch of the table has no column {name:?}")))
        };
        Ok(Self {
            rows: batch.num_rows(),
            query: Texts::of(column(&columns.query)?, &columns.query)?,
            document: Texts::of(column(&columns.document)?, &columns.document)?,
            number: Numbers::of(column(&columns.number)?, &columns.number)?,
        })
    }
}

/// A column of identifiers.
enum Texts<'a> {
    Short(&'a StringArray),
    Long(&'a LargeStringArray),
    View(&'a StringViewArray),
    /// Whole numbers, in decimal, as a file would have them.
    Decimal(Vec<String>),
    Dictionary {
        keys: Vec<usize>,
        values: Box<Texts<'a>>,
    },
}

impl<'a> Texts<'a> {
    fn of(column: &'a dyn Array, name: &str) -> PyResult<Self> {
        let missing = column.null_count();
        if missing > 0 {
            return Err(of_value(format!(
                "column {name:?}: {missing} of {} rows have no identifier",
                column.len()
            )));
        }
        macro_rules! decimal {
            ($kind:ty) => {
                Self::Decimal(
                    column.as_primitive::<$kind>().values().iter().map(ToString::to_string).collect(),
                )
            };
        }
        if matches!(column.data_type(), DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View) {
            // A stream of Arrow promises UTF-8, and nothing has checked it.
            let valid = column.to_data().validate_full();
            valid.map_err(|error| of_value(format!("column {name:?} is damaged: {error}")))?;
        }
        Ok(match column.data_type() {
            DataType::Utf8 => Self::Short(column.as_string()),
            DataType::LargeUtf8 => Self::Long(column.as_string()),
            DataType::Utf8View => Self::View(column.as_string_view()),
            DataType::Dictionary(..) => {
                let dictionary = column.as_any_dictionary();
                let values = Self::of(dictionary.values().as_ref(), name)?;
                Self::Dictionary { keys: dictionary.normalized_keys(), values: Box::new(values) }
            }
            DataType::Int64 => decimal!(Int64Type),
            DataType::Int32 => decimal!(Int32Type),
            DataType::Int16 => decimal!(Int16Type),
            DataType::Int8 => decimal!(Int8Type),
            DataType::UInt64 => decimal!(UInt64Type),
            DataType::UInt32 => decimal!(UInt32Type),
            DataType::UInt16 => decimal!(UInt16Type),
            DataType::UInt8 => decimal!(UInt8Type),
            other => {
                return Err(no_identifier(name, &other.to_string()));
            }
        })
    }

    fn get(&self, row: usize) -> &str {
        match self {
            Self::Short(texts) => texts.value(row),
            Self::Long(texts) => texts.value(row),
            Self::View(texts) => texts.value(row),
            Self::Decimal(texts) => texts.get(row).map_or("", String::as_str),
            Self::Dictionary { keys, values } => keys.get(row).map_or("", |key| values.get(*key)),
        }
    }
}

/// A column of numbers; NaN where one is missing.
enum Numbers<'a> {
    Double(&'a [f64]),
    Other(Vec<f64>),
}

impl<'a> Numbers<'a> {
    fn of(column: &'a dyn Array, name: &str) -> PyResult<Self> {
        macro_rules! numbers {
            ($kind:ty) => {
                column
                    .as_primitive::<$kind>()
                    .values()
                    .iter()
                    .map(|number| *number as f64)
                    .collect::<Vec<f64>>()
            };
        }
        let mut numbers = match column.data_type() {
            DataType::Float64 if column.null_count() == 0 => {
                return Ok(Self::Double(column.as_primitive::<Float64Type>().values()));
            }
            DataType::Float64 => numbers!(Float64Type),
            DataType::Float32 => numbers!(Float32Type),
            DataType::Int64 => numbers!(Int64Type),
            DataType::Int32 => numbers!(Int32Type),
            DataType::Int16 => numbers!(Int16Type),
            DataType::Int8 => numbers!(Int8Type),
            DataType::UInt64 => numbers!(UInt64Type),
            DataType::UInt32 => numbers!(UInt32Type),
            DataType::UInt16 => numbers!(UInt16Type),
            DataType::UInt8 => numbers!(UInt8Type),
            other => {
                return Err(no_number(name, &other.to_string()));
            }
        };
        let missing = numbers.iter_mut().enumerate().filter(|(row, _)| column.is_null(*row));
        missing.for_each(|(_, number)| *number = f64::NAN);
        Ok(Self::Other(numbers))
    }

    fn get(&self, row: usize) -> f64 {
        let found = match self {
            Self::Double(numbers) => numbers.get(row),
            Self::Other(numbers) => numbers.get(row),
        };
        found.copied().unwrap_or(f64::NAN)
    }
}
