//! `llull.rank`, and the ranking that it returns.

use std::path::PathBuf;

use llull::core::Item;
use llull::data::{BallotFormat, BallotsFile, Columns, read_ballots, read_ballots_from};
use llull::rank::TieRule;
use llull::rank::ratings::Prior;
use llull::report::ranking::{
    ComparisonRanking, RankedQuery, RankingMethod, RankingOptions, RankingOutput, ordered,
};
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyString};

use crate::error::{of_file, of_inputs, of_value};
use crate::inputs::{dict_of, is_missing, path_of};
use crate::pool;
use crate::table::{Column, PyTable};

/// Orders or rates items by comparisons.
#[pyfunction]
#[pyo3(signature = (comparisons, *, method = "bradley-terry", prior = None, ties = "open"))]
pub(crate) fn rank<'py>(
    py: Python<'py>,
    comparisons: &Bound<'py, PyAny>,
    method: &str,
    prior: Option<&str>,
    ties: &str,
) -> PyResult<Bound<'py, PyRanking>> {
    let options = RankingOptions {
        method: method.parse::<RankingMethod>().map_err(|error| of_value(format!("method: {error}")))?,
        prior: match prior {
            None => Prior::default(),
            Some(prior) => prior.parse().map_err(|error| of_value(format!("prior: {error}")))?,
        },
        ties: match ties {
            "open" => TieRule::Open,
            "equal" => TieRule::Equal,
            other => return Err(of_value(format!("ties is {other:?}; expected \"open\" or \"equal\""))),
        },
    };
    let columns = Columns::default();
    let BallotsFile { ballots, judges, notes, .. } = read(comparisons, &columns)?;
    let judges: Vec<String> = judges.iter().map(|judge| judge.to_string()).collect();
    let mut notes: Vec<String> = columns.take_tables().into_iter().chain(notes.remarks()).collect();
    let method = options.method;
    let ranked = pool::abandonable(py, move || {
        ComparisonRanking::new(&ballots, &judges, &options).map(|ranking| {
            let rows: Vec<Row> = ranking.queries.iter().flat_map(rows_of).collect();
            (rows, ranking.json(), ranking.text(), ranking.warnings())
        })
    });
    let (rows, json, text, warnings) = ranked?.map_err(of_inputs)?;
    notes.extend(warnings);
    let mut columns = Vec::new();
    if rows.iter().any(|row| row.query.is_some()) {
        let query = |row: &Row| row.query.clone().unwrap_or_default();
        columns.push(("query_id", Column::Texts(rows.iter().map(query).collect())));
    }
    columns.push(("item", Column::Texts(rows.iter().map(|row| row.item.clone()).collect())));
    if method == RankingMethod::Tiers {
        columns.push(("tier", Column::Whole(rows.iter().map(|row| row.tier).collect())));
    } else {
        columns.push(("score", Column::Numbers(rows.iter().map(|row| row.score).collect())));
        columns.push(("standard_error", Column::Numbers(rows.iter().map(|row| row.error).collect())));
    }
    columns.push(("component", Column::Whole(rows.iter().map(|row| row.component).collect())));
    let table = PyTable::new(&json, columns, text, notes)?;
    Bound::new(py, (PyRanking { rows }, table))
}

/// Reads comparisons: a file, or rows and tables by the reader of files.
fn read(comparisons: &Bound<'_, PyAny>, columns: &Columns) -> PyResult<BallotsFile> {
    let py = comparisons.py();
    if let Some(path) = path_of(comparisons)? {
        let files: [PathBuf; 1] = [path];
        return pool::install(py, || read_ballots(&files, None, columns))?.map_err(of_file);
    }
    let to_json = py.import("json")?.getattr("dumps")?;
    let keywords = PyDict::new(py);
    keywords.set_item("default", py.get_type::<PyString>())?;
    let mut lines = String::new();
    let rows = py.import("llull._rows")?.getattr("rows_of")?.call1((comparisons,))?;
    for row in rows.try_iter()? {
        let row = row?;
        let line = fields_of(&row)?;
        lines.push_str(to_json.call((line,), Some(&keywords))?.extract::<&str>()?);
        lines.push('\n');
    }
    if lines.is_empty() {
        return Err(of_inputs("comparisons: no comparison in them"));
    }
    let lines = std::io::Cursor::new(lines);
    pool::install(py, || read_ballots_from("comparisons", lines, Some(BallotFormat::Jsonl)))?
        .map_err(of_inputs)
}

/// A comparison as a dict: a mapping without what is missing, or `(left, right, winner)` with perhaps a weight.
fn fields_of<'py>(row: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(row.py());
    let add = |name: &Bound<'py, PyAny>, value: &Bound<'py, PyAny>| {
        let is_nan = value.cast::<PyFloat>().is_ok_and(|number| number.value().is_nan());
        if is_missing(value) || is_nan { Ok(()) } else { fields.set_item(name, value) }
    };
    if let Some(row) = dict_of(row)? {
        row.iter().try_for_each(|(name, value)| add(&name, &value))?;
        return Ok(fields);
    }
    let values: Vec<Bound<'py, PyAny>> = if row.is_instance_of::<PyString>() {
        Vec::new()
    } else {
        row.try_iter()?.collect::<PyResult<_>>()?
    };
    if !(3..=4).contains(&values.len()) {
        return Err(PyTypeError::new_err(format!(
            "a comparison is (left, right, winner), perhaps with a weight, or a dict of these; found {row:?}"
        )));
    }
    for (name, value) in ["left", "right", "winner", "weight"].iter().zip(&values) {
        add(PyString::new(row.py(), name).as_any(), value)?;
    }
    Ok(fields)
}

/// An item in its place.
struct Row {
    query: Option<String>,
    item: String,
    tier: Option<i64>,
    score: Option<f64>,
    error: Option<f64>,
    component: Option<i64>,
}

/// The items of a query, best first.
fn rows_of(ranked: &RankedQuery<'_>) -> Vec<Row> {
    let component = |item: Item| {
        let place = ranked.components.iter().position(|items| items.contains(&item));
        place.and_then(|place| i64::try_from(place + 1).ok())
    };
    let row = |item: Item, tier: Option<usize>, score: Option<f64>, error: Option<f64>| Row {
        query: ranked.query.map(str::to_owned),
        item: ranked.topic.id(item).unwrap_or_default().to_owned(),
        tier: tier.and_then(|tier| i64::try_from(tier + 1).ok()),
        score,
        error,
        component: component(item),
    };
    match &ranked.made {
        RankingOutput::Tiers(outcome) => {
            let tiers = outcome.tiers.iter().enumerate();
            tiers
                .flat_map(|(at, tier)| tier.items.iter().map(move |item| (*item, at)))
                .map(|(item, at)| row(item, Some(at), None, None))
                .collect()
        }
        RankingOutput::Ratings(ratings) => {
            let rated = ordered(ratings, ranked.topic.items.len()).into_iter();
            rated.map(|rated| row(rated.item, None, rated.score, rated.se)).collect()
        }
    }
}

/// Items, best first, each with its score or tier.
#[pyclass(name = "Ranking", module = "llull", frozen, extends = PyTable)]
pub(crate) struct PyRanking {
    rows: Vec<Row>,
}

impl PyRanking {
    fn of_query(&self, query: Option<&str>) -> PyResult<Vec<&Row>> {
        let found: Vec<&Row> = self.rows.iter().filter(|row| row.query.as_deref() == query).collect();
        if !found.is_empty() {
            return Ok(found);
        }
        let mut known: Vec<&str> = self.rows.iter().filter_map(|row| row.query.as_deref()).collect();
        known.dedup();
        known.truncate(10);
        Err(PyKeyError::new_err(match query {
            None => format!("the comparisons name queries; choose one, such as {}", known.join(", ")),
            Some(query) => {
                format!("no comparison is about the query {query:?}; there are {}", known.join(", "))
            }
        }))
    }
}

#[pymethods]
impl PyRanking {
    #[pyo3(signature = (query = None))]
    fn scores(&self, query: Option<&str>) -> PyResult<Vec<(String, Option<f64>)>> {
        Ok(self.of_query(query)?.into_iter().map(|row| (row.item.clone(), row.score)).collect())
    }

    #[pyo3(signature = (query = None))]
    fn tiers(&self, query: Option<&str>) -> PyResult<Vec<Vec<String>>> {
        let rows = self.of_query(query)?;
        let tiers = rows.chunk_by(|one, next| one.tier == next.tier && one.tier.is_some());
        Ok(tiers.map(|tier| tier.iter().map(|row| row.item.clone()).collect()).collect())
    }
}
