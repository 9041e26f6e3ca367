//! What every result of a function shows: the JSON of its command, a table, a text.

use llull::report::text::{Table, figure};
use pyo3::prelude::*;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::error::of_inputs;
use crate::frame::{Columns, as_json};

/// A column of a result's table.
#[derive(Clone)]
pub(crate) enum Column {
    Texts(Vec<String>),
    Whole(Vec<Option<i64>>),
    Numbers(Vec<Option<f64>>),
    Flags(Vec<bool>),
}

/// A result: `to_dict` is the command's JSON, the table its figures or labels row by row.
#[pyclass(name = "Table", module = "llull", frozen, subclass)]
pub(crate) struct PyTable {
    // As text: the values of a million labels would take a gigabyte.
    json: Box<RawValue>,
    columns: Vec<(&'static str, Column)>,
    text: String,
    notes: Vec<String>,
}

impl PyTable {
    pub(crate) fn new(
        json: &impl Serialize,
        columns: Vec<(&'static str, Column)>,
        text: String,
        notes: Vec<String>,
    ) -> PyResult<Self> {
        Ok(Self { json: to_raw_value(json).map_err(of_inputs)?, columns, text, notes })
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The first rows.
    pub(crate) fn html(&self) -> String {
        let rows = 0..self.__len__().min(SHOWN);
        let rows = rows.map(|row| self.columns.iter().map(|(_, column)| column.cell(row)).collect());
        let mut html = Table::new(self.columns.iter().map(|(name, _)| *name), rows).html();
        if let Some(more @ 1..) = self.__len__().checked_sub(SHOWN) {
            html.push_str(&format!("<p>and {more} more rows</p>"));
        }
        html
    }

    fn frame<'py>(&self, py: Python<'py>, library: &str) -> PyResult<Bound<'py, PyAny>> {
        let mut frame = Columns::new(py);
        for (name, column) in &self.columns {
            frame = match column {
                Column::Texts(values) => frame.with_all(name, values)?,
                Column::Whole(values) => frame.with_all(name, values)?,
                Column::Numbers(values) => frame.with_all(name, values)?,
                Column::Flags(values) => frame.with_all(name, values)?,
            };
        }
        frame.frame(library)
    }
}

impl Column {
    fn len(&self) -> usize {
        match self {
            Self::Texts(values) => values.len(),
            Self::Whole(values) => values.len(),
            Self::Numbers(values) => values.len(),
            Self::Flags(values) => values.len(),
        }
    }

    fn cell(&self, row: usize) -> String {
        match self {
            Self::Texts(values) => values.get(row).cloned().unwrap_or_default(),
            Self::Whole(values) => {
                values.get(row).copied().flatten().map_or_else(|| figure(None), |number| number.to_string())
            }
            Self::Numbers(values) => figure(values.get(row).copied().flatten()),
            Self::Flags(values) => if values.get(row) == Some(&true) { "yes" } else { "no" }.to_owned(),
        }
    }
}

/// How many rows a notebook shows.
const SHOWN: usize = 50;

#[pymethods]
impl PyTable {
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    fn __len__(&self) -> usize {
        self.columns.first().map_or(0, |(_, column)| column.len())
    }

    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        as_json(py, &self.json)
    }

    fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.frame(py, "pandas")
    }

    fn to_polars<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.frame(py, "polars")
    }

    fn _repr_html_(&self) -> String {
        self.html()
    }

    fn __repr__(&self) -> &str {
        &self.text
    }
}
