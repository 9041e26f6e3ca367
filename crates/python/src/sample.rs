//! `llull.sample`, and the sample that it returns.

use std::path::PathBuf;

use llull::core::{DrawnSample, Run, SampleDesign};
use llull::data::{Columns, create, read_sample, write_sample};
use llull::files::{FileSample, depth_under};
use llull::human_labels;
use llull::inferred_scale;
use llull::report::text::counted;
use llull::sampling::{SampleRequest, sample_id};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use serde_json::{Value, json};

use crate::error::{of_file, of_inputs, of_value};
use crate::inputs::{Labels, path_of};
use crate::measure::{bootstrap, from_one, parse_measures};
use crate::pool;
use crate::systems::read_runs;
use crate::table::{Column, PyTable};

/// Plans a sample for annotators, and draws it if there is a number.
#[pyfunction]
#[pyo3(signature = (
    labels, runs, measure = None, n = None, *, design = None, compare = None, by = Vec::new(), width = None,
    round = false, repeats = None, confidence = 0.95, seed = 42,
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn sample<'py>(
    py: Python<'py>,
    labels: &Bound<'py, PyAny>,
    runs: &Bound<'py, PyAny>,
    measure: Option<&Bound<'py, PyAny>>,
    n: Option<i128>,
    design: Option<&str>,
    compare: Option<(String, String)>,
    by: Vec<String>,
    width: Option<f64>,
    round: bool,
    repeats: Option<&str>,
    confidence: f64,
    seed: i128,
) -> PyResult<Bound<'py, PySample>> {
    let default = PyString::new(py, "P@10");
    let measure = match parse_measures(measure.unwrap_or(default.as_any()), None)?.as_slice() {
        [(_, only)] => *only,
        _ => return Err(of_value("a sample is for one measure")),
    };
    let number = n.map(|number| from_one("n", number)).transpose()?;
    if let Some(width) = width.filter(|width| width.is_nan() || *width <= 0.0) {
        return Err(of_value(format!("width is {width}; expected a number above 0")));
    }
    let design = match design {
        None => None,
        Some("uniform") => Some(SampleDesign::Pairs),
        Some(name) => match SampleDesign::from_name(name) {
            Some(SampleDesign::Pairs | SampleDesign::Independent) | None => {
                return Err(of_value(format!(
                    "design is {name:?}; expected \"uniform\", \"stratified\", \"unequal\" or \"queries\""
                )));
            }
            known => known,
        },
    };
    let by = by.iter().map(|by| by.parse().map_err(|error| of_value(format!("by: {error}"))));
    let by = by.collect::<PyResult<_>>()?;
    let bootstrap = bootstrap(confidence, 10_000, seed)?;
    let labels = Labels::read(labels, None, round, repeats)?;
    let mut notes = labels.notes.clone();
    let depth = depth_under(&[measure], &labels.qrels);
    let runs = read_runs(py, runs, &labels, (false, depth), &mut notes)?;
    let runs: Vec<Run> = runs.iter().map(|run| run.as_ref().clone().without_dropped(&labels.qrels)).collect();
    let request = SampleRequest {
        measure,
        design,
        compare,
        baseline: runs.first().map(|run| run.name.clone()).unwrap_or_default(),
        by,
        scale: inferred_scale(&labels.qrels),
        confidence: bootstrap.confidence,
        seed: bootstrap.seed,
    };
    let qrels = labels.qrels;
    let found = pool::abandonable(py, move || FileSample::new(&qrels, &runs, request, number, width))?;
    let found = found.map_err(of_inputs)?;
    let json = found.json();
    PySample::new(py, found.drawn.map(|(sample, _)| sample).unwrap_or_default(), &json, notes)
}

/// A sample for annotators: the pairs that could be drawn, with their probabilities, and what so many labels are worth.
#[pyclass(name = "Sample", module = "llull", frozen, extends = PyTable)]
pub(crate) struct PySample {
    sample: DrawnSample,
}

impl PySample {
    fn new<'py>(
        py: Python<'py>,
        sample: DrawnSample,
        json: &Value,
        notes: Vec<String>,
    ) -> PyResult<Bound<'py, Self>> {
        let units = || sample.units.iter();
        let drawn = units().filter(|unit| unit.drawn == Some(true)).count();
        let text = match sample.units.len() {
            0 => "<Sample: nothing is drawn; to_dict() has the plan>".to_owned(),
            of => format!("<Sample: {drawn} of {} drawn>", counted(of, "pair")),
        };
        let columns = vec![
            ("query_id", Column::Texts(units().map(|unit| unit.topic.clone()).collect())),
            ("doc_id", Column::Texts(units().map(|unit| unit.document.clone()).collect())),
            ("probability", Column::Numbers(units().map(|unit| Some(unit.probability)).collect())),
            ("drawn", Column::Flags(units().map(|unit| unit.drawn == Some(true)).collect())),
            (
                "stratum",
                Column::Texts(units().map(|unit| unit.stratum.clone().unwrap_or_default()).collect()),
            ),
        ];
        let table = PyTable::new(json, columns, text, notes)?;
        Bound::new(py, (Self { sample }, table))
    }
}

#[pymethods]
impl PySample {
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, Self>> {
        let columns = Columns::default();
        let sample = read_sample(&path, &columns).map_err(of_file)?;
        let id = sample_id(&sample).map_err(of_file)?;
        let json = json!({"sample": {"id": id, "frame": sample.units.len()}});
        Self::new(py, sample, &json, columns.take_tables())
    }

    fn save(&self, path: PathBuf) -> PyResult<()> {
        let written = create(&path).and_then(|mut file| {
            write_sample(&self.sample, &mut file)?;
            file.finish()
        });
        written.map_err(of_file)
    }

    #[getter]
    fn pairs(&self) -> Vec<(String, String)> {
        let drawn = self.sample.units.iter().filter(|unit| unit.drawn == Some(true));
        drawn.map(|unit| (unit.topic.clone(), unit.document.clone())).collect()
    }
}

/// How human labels were drawn.
pub(crate) enum SampledHow {
    Pairs,
    Queries,
    Drawn(DrawnSample),
}

impl SampledHow {
    /// Reads "pairs" or "queries", where each was as likely as any other, a `Sample`, or the file of one.
    pub(crate) fn of(sampled: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(sample) = sampled.cast::<PySample>() {
            return Ok(Self::Drawn(sample.get().sample.clone()));
        }
        let path = path_of(sampled)?.ok_or_else(|| {
            PyTypeError::new_err(
                "how labels were drawn is \"pairs\", \"queries\", a Sample or the path of one",
            )
        })?;
        Ok(match path.to_str() {
            Some("pairs") => Self::Pairs,
            Some("queries") => Self::Queries,
            _ => Self::Drawn(read_sample(&path, &Columns::default()).map_err(of_file)?),
        })
    }

    pub(crate) fn how(&self) -> human_labels::SampledHow<'_> {
        match self {
            Self::Pairs => human_labels::SampledHow::Pairs,
            Self::Queries => human_labels::SampledHow::Queries,
            Self::Drawn(sample) => human_labels::SampledHow::Drawn(sample),
        }
    }
}
