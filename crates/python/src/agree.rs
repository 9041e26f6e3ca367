//! `llull.agree`, and the agreement that it returns.

use llull::agreement::{
    AgreementInputs, AgreementReport, AgreementReportOptions, OtherLabels, UnderBoth, agreement_text,
};
use llull::core::Run;
use llull::files::depth_under;
use llull::metrics::Measure;
use llull::report::check_comparable;
use llull::stats::{Clamp, PairTest};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use serde_json::Value;

use crate::compare::correction;
use crate::error::{of_inputs, of_value};
use crate::inputs::{LabelReading, named_labels};
use crate::measure::{DEFAULT_MEASURE, bootstrap, parse_measures};
use crate::pool;
use crate::systems::read_runs;
use crate::table::{Column, PyTable};

/// Compares labels with the truth, and systems under both.
#[pyfunction]
#[pyo3(signature = (
    truth, other, *, runs = None, measures = None, other_measures = None, power = false, disagreements = 5,
    clamp = None, test = "tukey", correct = None, round = false, repeats = None, confidence = 0.95,
    resamples = 10_000, seed = 42,
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn agree<'py>(
    py: Python<'py>,
    truth: &Bound<'py, PyAny>,
    other: &Bound<'py, PyAny>,
    runs: Option<&Bound<'py, PyAny>>,
    measures: Option<&Bound<'py, PyAny>>,
    other_measures: Option<&Bound<'py, PyAny>>,
    power: bool,
    disagreements: usize,
    clamp: Option<(i32, i32)>,
    test: &str,
    correct: Option<&str>,
    round: bool,
    repeats: Option<&str>,
    confidence: f64,
    resamples: i128,
    seed: i128,
) -> PyResult<Bound<'py, PyAgreement>> {
    let bootstrap = bootstrap(confidence, resamples, seed)?;
    let test: PairTest = test.parse().map_err(|error| of_value(format!("test: {error}")))?;
    let options = AgreementReportOptions {
        clamp: clamp.map(|(low, high)| Clamp::new(low, high).map_err(of_value)).transpose()?,
        test,
        correction: correction(test, correct)?,
        power,
        disagreements,
        ..AgreementReportOptions::new(bootstrap)
    };
    if runs.is_none() && (power || measures.is_some() || other_measures.is_some()) {
        return Err(of_value("measures, other_measures and power are about systems; add runs"));
    }
    let measures = under_both(py, measures, other_measures)?;
    let reading = LabelReading { round, repeats };
    let is_graded = |measures: &[Measure]| runs.is_some() && !measures.iter().all(Measure::reads_only_order);
    let mut truths = named_labels(truth, "truth", reading, is_graded(&measures.truth))?;
    let (Some(truth), true) = (truths.pop(), truths.is_empty()) else {
        return Err(of_value("truth is one set of labels"));
    };
    let others = named_labels(other, "other", reading, is_graded(&measures.other))?;
    let mut notes = truth.labels.notes.clone();
    notes.extend(others.iter().flat_map(|other| other.labels.notes.iter().cloned()));
    let read = match runs {
        None => Vec::new(),
        Some(runs) => {
            let all = [measures.truth.as_slice(), &measures.other].concat();
            let depth = depth_under(&all, &truth.labels.qrels);
            read_runs(py, runs, &truth.labels, (false, depth), &mut notes)?
        }
    };
    let inputs = AgreementInputs {
        truth: truth.named(),
        raters: others.len(),
        others: others.iter().map(crate::inputs::NamedLabelSet::named).collect(),
        runs: read.iter().map(|run| Run::clone(run)).collect(),
        measures,
    };
    let report = pool::abandonable(py, move || AgreementReport::new(inputs, &options))?.map_err(of_inputs)?;
    notes.extend(report.notes.iter().cloned());
    let mut rows = Vec::new();
    for other in report.compared.others() {
        rows.extend(figures_of(other)?);
    }
    let texts = |of: fn(&FigureRow) -> &String| Column::Texts(rows.iter().map(of).cloned().collect());
    let numbers = |of: fn(&FigureRow) -> Option<f64>| Column::Numbers(rows.iter().map(of).collect());
    let columns = vec![
        ("labels", texts(|row| &row.labels)),
        ("figure", texts(|row| &row.figure)),
        ("value", numbers(|row| row.value)),
        ("low", numbers(|row| row.ends.map(|(low, _)| low))),
        ("high", numbers(|row| row.ends.map(|(_, high)| high))),
    ];
    let table = PyTable::new(&report, columns, agreement_text(&report), notes)?;
    Bound::new(py, (PyAgreement { rows }, table))
}

fn under_both(
    py: Python<'_>,
    measures: Option<&Bound<'_, PyAny>>,
    others: Option<&Bound<'_, PyAny>>,
) -> PyResult<UnderBoth<Vec<Measure>>> {
    let default = PyString::new(py, DEFAULT_MEASURE);
    let parsed = |written: &Bound<'_, PyAny>| -> PyResult<Vec<Measure>> {
        let measures: Vec<Measure> = parse_measures(written, None)?.into_iter().map(|(_, one)| one).collect();
        measures.iter().try_for_each(|measure| check_comparable(measure).map_err(of_value))?;
        Ok(measures)
    };
    let truth = parsed(measures.unwrap_or(default.as_any()))?;
    let other = match others.map(parsed).transpose()? {
        None => truth.clone(),
        Some(other) if other.len() == truth.len() => other,
        Some(other) => match other.as_slice() {
            [only] => vec![*only; truth.len()],
            _ => {
                return Err(of_value(format!(
                    "{} measures and {} other_measures; give one for all, or one for each",
                    truth.len(),
                    other.len()
                )));
            }
        },
    };
    Ok(UnderBoth { truth, other })
}

/// A figure of the agreement of one label set with the truth.
struct FigureRow {
    labels: String,
    figure: String,
    value: Option<f64>,
    ends: Option<(f64, f64)>,
}

fn figures_of(other: &OtherLabels) -> PyResult<Vec<FigureRow>> {
    let mut json = serde_json::to_value(&other.agreement).map_err(of_inputs)?;
    let ci = json.get_mut("ci").map(Value::take);
    let mut rows = Vec::new();
    add_figures(&other.name, "", &json, ci.as_ref(), &mut rows);
    Ok(rows)
}

/// Adds the numbers of an object, and those of objects in it under names such as `kappa.quadratic`.
fn add_figures(labels: &str, prefix: &str, json: &Value, ci: Option<&Value>, rows: &mut Vec<FigureRow>) {
    let Some(object) = json.as_object() else { return };
    for (name, value) in object {
        let figure = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
        let ci = ci.and_then(|ci| ci.get(name));
        match value {
            Value::Object(_) => add_figures(labels, &figure, value, ci, rows),
            Value::Number(_) | Value::Null if name != "ci" => {
                let end = |at: usize| ci?.get(at)?.as_f64();
                let ends = end(0).zip(end(1));
                rows.push(FigureRow { labels: labels.to_owned(), figure, value: value.as_f64(), ends });
            }
            _ => {}
        }
    }
}

/// How far labels agree with the truth.
#[pyclass(name = "Agreement", module = "llull", frozen, extends = PyTable)]
pub(crate) struct PyAgreement {
    rows: Vec<FigureRow>,
}

impl PyAgreement {
    fn row(&self, figure: &str, labels: Option<&str>) -> PyResult<&FigureRow> {
        let of_labels = |row: &&FigureRow| labels.is_none_or(|labels| row.labels == labels);
        let found: Vec<&FigureRow> =
            self.rows.iter().filter(of_labels).filter(|row| row.figure == figure).collect();
        match found.as_slice() {
            [only] => Ok(only),
            [] => {
                let mut known: Vec<&str> =
                    self.rows.iter().filter(of_labels).map(|row| row.figure.as_str()).collect();
                known.dedup();
                Err(PyKeyError::new_err(format!("no figure {figure:?}; there are {}", known.join(", "))))
            }
            several => {
                let sets: Vec<&str> = several.iter().map(|row| row.labels.as_str()).collect();
                Err(PyKeyError::new_err(format!("name the labels, too: {}", sets.join(", "))))
            }
        }
    }
}

#[pymethods]
impl PyAgreement {
    fn __getitem__(&self, figure: &str) -> PyResult<Option<f64>> {
        Ok(self.row(figure, None)?.value)
    }

    #[pyo3(signature = (figure, labels = None))]
    fn value(&self, figure: &str, labels: Option<&str>) -> PyResult<Option<f64>> {
        Ok(self.row(figure, labels)?.value)
    }

    #[pyo3(signature = (figure, labels = None))]
    fn interval(&self, figure: &str, labels: Option<&str>) -> PyResult<Option<(f64, f64)>> {
        Ok(self.row(figure, labels)?.ends)
    }
}
