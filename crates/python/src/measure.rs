//! `llull.measure`, and the figures that it returns.

use std::sync::Arc;

use llull::config::ranges::RESAMPLES;
use llull::core::{Hits, Seed};
use llull::files::{LabelsFile, RunForm, measure_systems};
use llull::metrics::{Evaluator, Measure, Relevant, Scores, trec_eval_measures};
use llull::report::{
    MeasuredSystem, Measurement, warning_of_unjudged, warning_of_unlabelled, without_relevant,
};
use llull::stats::BootstrapOptions;
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyList, PyString};

use crate::error::{of_file, of_inputs, of_measure, of_value};
use crate::frame::{self, Columns};
use crate::inputs::{Labels, Results, check_names, named_results, note_of_repeated, ranked};
use crate::pool;
use crate::systems::{check_identifiers, note_of_empty};

/// The measure where none is named, as on the command line.
pub(crate) const DEFAULT_MEASURE: &str = "nDCG@10";

/// Measures with the names that they were written by.
pub(crate) type WrittenMeasures = Vec<(String, Measure)>;

/// Parses one measure or several: texts, groups of trec_eval, or objects of ir_measures, whose text is their name.
pub(crate) fn parse_measures(measures: &Bound<'_, PyAny>, level: Option<i32>) -> PyResult<WrittenMeasures> {
    let level = level
        .map(|level| {
            Relevant::from_grade(level)
                .ok_or_else(|| of_value(format!("level is {level}; expected 1 or more")))
        })
        .transpose()?;
    let is_one = measures.is_instance_of::<PyString>() || measures.hasattr("NAME")?;
    let names: Vec<String> = if is_one {
        vec![measures.str()?.extract()?]
    } else {
        let each = measures.try_iter().map_err(|_| {
            PyTypeError::new_err("measures are a name such as \"nDCG@10\", or a list of names".to_owned())
        })?;
        each.map(|name| name?.str()?.extract()).collect::<PyResult<_>>()?
    };
    if names.is_empty() {
        return Err(of_value("measures is empty; name at least one, such as \"nDCG@10\""));
    }
    let mut parsed: WrittenMeasures = Vec::new();
    for written in names {
        let members = trec_eval_measures(&written).map_err(of_measure)?;
        let alone = members.len() == 1;
        for member in members {
            let measure = level.map_or(member.measure, |level| member.measure.at_level(level));
            if !parsed.iter().any(|(_, known)| *known == measure) {
                parsed.push((if alone { written.clone() } else { member.name }, measure));
            }
        }
    }
    Ok(parsed)
}

/// The options of intervals.
///
/// # Errors
/// Returns a `ValueError` for a value out of its range.
pub(crate) fn bootstrap(confidence: f64, resamples: i128, seed: i128) -> PyResult<BootstrapOptions> {
    let options =
        BootstrapOptions { confidence, resamples: drawn("resamples", resamples)?, seed: seed_of(seed)? };
    options.check().map_err(of_value)?;
    Ok(options)
}

/// A number of resamples or permutations.
///
/// # Errors
/// Returns a `ValueError` for a number out of the command's range.
pub(crate) fn drawn(name: &str, number: i128) -> PyResult<usize> {
    RESAMPLES.parse(&number.to_string()).map_err(|error| of_value(format!("{name} {error}")))?;
    from_one(name, number)
}

/// A whole number from 1 on.
pub(crate) fn from_one(name: &str, number: i128) -> PyResult<usize> {
    let found = usize::try_from(number).ok().filter(|number| *number > 0);
    found.ok_or_else(|| of_value(format!("{name} is {number}; expected a whole number from 1 on")))
}

pub(crate) fn seed_of(seed: i128) -> PyResult<Seed> {
    let seed = u64::try_from(seed).map(Seed);
    seed.map_err(|_| of_value("the seed is not from 0 to 2**64 - 1; choose one that is"))
}

/// Whether scores are compared as 32-bit numbers.
pub(crate) fn is_float32(ties: &str) -> PyResult<bool> {
    match ties {
        "float64" => Ok(false),
        "float32" => Ok(true),
        other => Err(of_value(format!("ties is {other:?}; expected \"float64\" or \"float32\""))),
    }
}

/// Measures one run or several with labels.
#[pyfunction]
#[pyo3(signature = (
    qrels, run, measures = None, *, level = None, depth = None, answered_only = false, ties = "float64",
    round = false, repeats = None, confidence = 0.95, resamples = 10_000, seed = 42,
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn measure<'py>(
    py: Python<'py>,
    qrels: &Bound<'py, PyAny>,
    run: &Bound<'py, PyAny>,
    measures: Option<&Bound<'py, PyAny>>,
    level: Option<i32>,
    depth: Option<i128>,
    answered_only: bool,
    ties: &str,
    round: bool,
    repeats: Option<&str>,
    confidence: f64,
    resamples: i128,
    seed: i128,
) -> PyResult<Bound<'py, PyAny>> {
    let default = PyString::new(py, DEFAULT_MEASURE);
    let written = parse_measures(measures.unwrap_or(default.as_any()), level)?;
    let options = bootstrap(confidence, resamples, seed)?;
    let depth = depth.map(|depth| from_one("depth", depth)).transpose()?;
    let reading = RunReading { float32: is_float32(ties)?, depth };
    let (names, measures): (Vec<String>, Vec<Measure>) = written.into_iter().unzip();
    let labels = Labels::read(qrels, Some(&measures), round, repeats)?;
    let several = named_results(run)?;
    let is_one = several.is_none();
    let systems = match several {
        Some(systems) if systems.is_empty() => {
            return Err(of_value("there is no run to measure; name at least one"));
        }
        Some(systems) => systems,
        None => {
            let results = Results::read(run)?;
            vec![(results.name(None), results)]
        }
    };
    check_names(&systems.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>())?;
    let evaluator = pool::install(py, || Evaluator::new(&measures, &labels.qrels))?;
    let mut notes = labels.notes.clone();
    let mut scores = Vec::with_capacity(systems.len());
    for (name, results) in systems {
        scores.push(figures_of(py, &evaluator, &measures, &labels, (name, results), reading, &mut notes)?);
    }
    notes.extend(warnings(&scores));
    let measured = Arc::new(Measured { scores, names, answered_only, options, notes });
    match is_one {
        true => Ok(Bound::new(py, PyScores { measured, place: 0 })?.into_any()),
        false => Ok(Bound::new(py, PySystemScores { measured })?.into_any()),
    }
}

/// Values of queries by measures, without checks and notes, for the provider of ir_measures: query to values in the
/// order of the measures. Queries that the run does not answer are left out.
#[pyfunction]
pub(crate) fn query_values(
    py: Python<'_>,
    qrels: &Bound<'_, PyAny>,
    run: &Bound<'_, PyAny>,
    measures: &Bound<'_, PyAny>,
) -> PyResult<Vec<(String, Vec<f64>)>> {
    let measures: Vec<Measure> =
        parse_measures(measures, None)?.into_iter().map(|(_, measure)| measure).collect();
    let labels = Labels::read(qrels, Some(&measures), false, None)?;
    let evaluator = pool::install(py, || Evaluator::new(&measures, &labels.qrels))?;
    let values = Results::read(run)?.each_query(py, &|query: &str, hits: Hits| {
        // as pytrec_eval, which compares scores as 32-bit numbers
        evaluator.evaluate_query(query, &ranked(hits, true, None).0).filter(|scores| scores.answered)
    })?;
    let known = values.into_iter().filter_map(|(query, scores)| Some((query, scores?)));
    Ok(known.map(|(query, scores)| (query, scores.cells.iter().map(|cell| cell.value).collect())).collect())
}

/// The printed name of a measure.
#[pyfunction]
pub(crate) fn measure_name(name: &str) -> PyResult<String> {
    name.parse::<Measure>().map(|measure| measure.to_string()).map_err(of_measure)
}

/// How results are ranked.
#[derive(Clone, Copy)]
struct RunReading {
    float32: bool,
    depth: Option<usize>,
}

/// Measures one system, by the way that is fastest for its form.
fn figures_of(
    py: Python<'_>,
    evaluator: &Evaluator<'_>,
    measures: &[Measure],
    labels: &Labels,
    (name, results): (String, Results<'_>),
    RunReading { float32, depth }: RunReading,
    notes: &mut Vec<String>,
) -> PyResult<Scores> {
    let file = LabelsFile { path: &labels.source, qrels: &labels.qrels };
    if let Results::Path(path) = &results {
        let form = RunForm { float32, ..RunForm::default() };
        let (labels, paths, measures) = (labels.clone(), [path.clone()], measures.to_vec());
        let measured = pool::abandonable(py, move || {
            let file = LabelsFile { path: &labels.source, qrels: &labels.qrels };
            measure_systems(&file, &paths, &measures, depth, form)
        });
        let measured = measured?.map_err(of_file)?;
        notes.extend(measured.notes);
        let scores = measured.value.into_iter().next().ok_or_else(|| of_inputs("the run has no figures"))?;
        return Ok(Scores { run: name, ..scores });
    }
    if let Results::Converted(_, known) = &results {
        notes.extend(known.iter().cloned());
    }
    let measured = results.each_query(py, &|query: &str, hits: Hits| {
        let (ranking, repeated) = ranked(hits, float32, depth);
        (evaluator.evaluate_query(query, &ranking), file.shared(query, &ranking), repeated)
    })?;
    notes.extend(measured.is_empty().then(|| note_of_empty(&name)));
    notes.extend(note_of_repeated(&name, measured.iter().map(|(_, (_, _, repeated))| repeated).sum()));
    let shared: Vec<_> = measured.iter().map(|(_, (_, shared, _))| *shared).collect();
    if !shared.is_empty() && file.few(shared.into_iter()) {
        let (run, _) = results.run(py, Some(name.clone()), float32, None)?;
        notes.extend(check_identifiers(py, labels, &run)?);
    }
    let queries = measured.into_iter().map(|(query, (scores, ..))| (query, scores)).collect();
    pool::install(py, || evaluator.of_queries(name, queries))
}

/// What the command warns of before figures.
fn warnings(scores: &[Scores]) -> Vec<String> {
    let relevant = scores.first().map(without_relevant).into_iter().flatten();
    warning_of_unlabelled(scores).into_iter().chain(relevant).chain(warning_of_unjudged(scores)).collect()
}

/// The figures of systems, with the options of their intervals.
pub(crate) struct Measured {
    pub(crate) scores: Vec<Scores>,
    /// The names by which the measures were written.
    pub(crate) names: Vec<String>,
    pub(crate) answered_only: bool,
    pub(crate) options: BootstrapOptions,
    pub(crate) notes: Vec<String>,
}

impl Measured {
    /// The figures of these systems with intervals, as the command has them.
    fn measurement<'a>(&self, py: Python<'_>, scores: &[Scores]) -> PyResult<Measurement<'a>> {
        // A copy costs little beside thousands of resamples.
        let (scores, answered_only, options) = (scores.to_vec(), self.answered_only, self.options);
        pool::abandonable(py, move || Measurement::new(&scores, answered_only, &options))?.map_err(of_inputs)
    }

    fn to_dict<'py>(
        &self,
        py: Python<'py>,
        scores: &[Scores],
        per_query: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut measurement = self.measurement(py, scores)?;
        measurement.per_query = per_query.then_some(scores);
        frame::as_json(py, &measurement)
    }

    fn html(&self, py: Python<'_>, scores: &[Scores]) -> PyResult<String> {
        let systems = self.measurement(py, scores)?.systems;
        Ok(Measurement::table(&systems, self.options.confidence).html())
    }

    fn text(&self, py: Python<'_>, scores: &[Scores]) -> PyResult<String> {
        let systems = self.measurement(py, scores)?.systems;
        Ok(Measurement::table(&systems, self.options.confidence).text())
    }

    fn columns<'py>(&self, py: Python<'py>, scores: &[Scores], per_query: bool) -> PyResult<Columns<'py>> {
        if per_query {
            self.query_columns(py, scores)
        } else {
            columns_of(py, &self.measurement(py, scores)?.systems)
        }
    }

    /// One row for each system, query and measure.
    fn query_columns<'py>(&self, py: Python<'py>, scores: &[Scores]) -> PyResult<Columns<'py>> {
        let (mut systems, mut queries, mut measures) = (Vec::new(), Vec::new(), Vec::new());
        let (mut values, mut answered, mut seen, mut unjudged) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for scores in scores {
            let names: Vec<String> = scores.measures.iter().map(ToString::to_string).collect();
            for topic in scores.topics.iter().filter(|topic| topic.answered || !self.answered_only) {
                for (name, cell) in names.iter().zip(&topic.cells) {
                    systems.push(scores.run.as_str());
                    queries.push(topic.topic.as_str());
                    measures.push(name.clone());
                    values.push(cell.value);
                    answered.push(topic.answered);
                    seen.push(cell.seen);
                    unjudged.push(cell.unjudged);
                }
            }
        }
        let columns = Columns::new(py).with("system", systems)?.with("query_id", queries)?;
        let columns = columns.with("measure", measures)?.with("value", values)?.with("answered", answered)?;
        columns.with("seen", seen)?.with("unjudged", unjudged)
    }
}

/// One row for each system and measure.
fn columns_of<'py>(py: Python<'py>, systems: &[MeasuredSystem]) -> PyResult<Columns<'py>> {
    let figures =
        || systems.iter().flat_map(|system| system.figures.iter().map(move |figure| (system, figure)));
    Columns::new(py)
        .with("system", figures().map(|(system, _)| system.system.as_str()).collect())?
        .with("measure", figures().map(|(_, figure)| figure.measure.as_str()).collect())?
        .with("mean", figures().map(|(_, figure)| figure.mean).collect())?
        .with("low", figures().map(|(_, figure)| figure.low).collect())?
        .with("high", figures().map(|(_, figure)| figure.high).collect())?
        .with("queries", figures().map(|(_, figure)| figure.n).collect())?
        .with("missing", figures().map(|(_, figure)| figure.missing_topics).collect())?
        .with("seen", figures().map(|(_, figure)| figure.seen).collect())?
        .with("unjudged", figures().map(|(_, figure)| figure.unjudged).collect())
}

/// The figures of one system.
#[pyclass(name = "Scores", module = "llull", frozen, mapping)]
pub(crate) struct PyScores {
    measured: Arc<Measured>,
    place: usize,
}

impl PyScores {
    pub(crate) fn new(measured: &Arc<Measured>, place: usize) -> Self {
        Self { measured: Arc::clone(measured), place }
    }

    fn alone(&self) -> &[Scores] {
        self.measured.scores.get(self.place..=self.place).unwrap_or_default()
    }

    fn scores(&self) -> PyResult<&Scores> {
        self.alone().first().ok_or_else(|| of_inputs("there are no figures"))
    }

    /// The place of a measure, by its printed name, the name that was written, or any other of its names.
    fn position(&self, measure: &Bound<'_, PyAny>) -> PyResult<usize> {
        let name: String = measure.str()?.extract()?;
        let scores = self.scores()?;
        let printed = scores.measures.iter().position(|known| known.to_string() == name);
        let written = || self.measured.names.iter().position(|written| *written == name);
        let parsed = || scores.position(&name.parse().ok()?);
        printed.or_else(written).or_else(parsed).ok_or_else(|| {
            let known: Vec<String> = scores.measures.iter().map(ToString::to_string).collect();
            PyKeyError::new_err(format!("{name} was not measured; there are {}", known.join(", ")))
        })
    }
}

#[pymethods]
impl PyScores {
    fn __getitem__(&self, measure: &Bound<'_, PyAny>) -> PyResult<f64> {
        let (scores, place) = (self.scores()?, self.position(measure)?);
        let mean =
            if self.measured.answered_only { scores.mean_of_answered(place) } else { scores.mean(place) };
        Ok(mean.unwrap_or(f64::NAN))
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(self.scores()?.measures.len())
    }

    fn __contains__(&self, measure: &Bound<'_, PyAny>) -> bool {
        self.position(measure).is_ok()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.keys()?)?.try_iter()
    }

    fn keys(&self) -> PyResult<Vec<String>> {
        Ok(self.scores()?.measures.iter().map(ToString::to_string).collect())
    }

    fn values(&self, py: Python<'_>) -> PyResult<Vec<f64>> {
        let value = |name: String| self.__getitem__(PyString::new(py, &name).as_any());
        self.keys()?.into_iter().map(value).collect()
    }

    fn items(&self, py: Python<'_>) -> PyResult<Vec<(String, f64)>> {
        Ok(self.keys()?.into_iter().zip(self.values(py)?).collect())
    }

    #[pyo3(signature = (measure, default = None, /))]
    fn get(&self, measure: &Bound<'_, PyAny>, default: Option<f64>) -> PyResult<Option<f64>> {
        if self.__contains__(measure) { self.__getitem__(measure).map(Some) } else { Ok(default) }
    }

    #[getter]
    fn system(&self) -> PyResult<&str> {
        Ok(&self.scores()?.run)
    }

    #[getter]
    fn queries(&self) -> PyResult<Vec<&str>> {
        Ok(self.scores()?.topics.iter().map(|topic| topic.topic.as_str()).collect())
    }

    #[getter]
    fn missing(&self) -> PyResult<usize> {
        Ok(self.scores()?.missing())
    }

    #[getter]
    fn notes(&self) -> Vec<String> {
        self.measured.notes.clone()
    }

    fn values_of(&self, measure: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
        let (scores, place) = (self.scores()?, self.position(measure)?);
        Ok(scores.values(place).collect())
    }

    fn per_query<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let scores = self.scores()?;
        let names: Vec<_> = self.keys()?.iter().map(|name| PyString::intern(py, name)).collect();
        let queries = PyDict::new(py);
        for topic in scores.topics.iter().filter(|topic| topic.answered || !self.measured.answered_only) {
            let values = PyDict::new(py);
            for (name, cell) in names.iter().zip(&topic.cells) {
                values.set_item(name, cell.value)?;
            }
            queries.set_item(&topic.topic, values)?;
        }
        Ok(queries)
    }

    fn unjudged(&self, measure: &Bound<'_, PyAny>) -> PyResult<(u64, u64)> {
        Ok(self.scores()?.unjudged(self.position(measure)?))
    }

    fn interval(&self, py: Python<'_>, measure: &Bound<'_, PyAny>) -> PyResult<Option<(f64, f64)>> {
        let place = self.position(measure)?;
        let systems = self.measured.measurement(py, self.alone())?.systems;
        let figure = systems.first().and_then(|system| system.figures.get(place));
        Ok(figure.and_then(|figure| figure.low.zip(figure.high)))
    }

    #[pyo3(signature = (*, per_query = false))]
    fn to_dict<'py>(&self, py: Python<'py>, per_query: bool) -> PyResult<Bound<'py, PyAny>> {
        self.measured.to_dict(py, self.alone(), per_query)
    }

    #[pyo3(signature = (*, per_query = true))]
    fn to_pandas<'py>(&self, py: Python<'py>, per_query: bool) -> PyResult<Bound<'py, PyAny>> {
        self.measured.columns(py, self.alone(), per_query)?.frame("pandas")
    }

    #[pyo3(signature = (*, per_query = true))]
    fn to_polars<'py>(&self, py: Python<'py>, per_query: bool) -> PyResult<Bound<'py, PyAny>> {
        self.measured.columns(py, self.alone(), per_query)?.frame("polars")
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        self.measured.html(py, self.alone())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let figures = self.items(py)?.into_iter().map(|(name, mean)| format!("{name}={mean:.4}"));
        Ok(format!("Scores({})", figures.collect::<Vec<_>>().join(", ")))
    }
}

/// The figures of several systems.
#[pyclass(name = "SystemScores", module = "llull", frozen, mapping)]
pub(crate) struct PySystemScores {
    measured: Arc<Measured>,
}

impl PySystemScores {
    pub(crate) fn new(measured: Arc<Measured>) -> Self {
        Self { measured }
    }
}

#[pymethods]
impl PySystemScores {
    fn __getitem__(&self, system: &str) -> PyResult<PyScores> {
        let place = self.measured.scores.iter().position(|scores| scores.run == system);
        let place = place.ok_or_else(|| {
            PyKeyError::new_err(format!("{system:?} is not a system; there are {}", self.keys().join(", ")))
        })?;
        Ok(PyScores::new(&self.measured, place))
    }

    fn __len__(&self) -> usize {
        self.measured.scores.len()
    }

    fn __contains__(&self, system: &str) -> bool {
        self.measured.scores.iter().any(|scores| scores.run == system)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.keys())?.try_iter()
    }

    fn keys(&self) -> Vec<String> {
        self.measured.scores.iter().map(|scores| scores.run.clone()).collect()
    }

    fn values(&self) -> Vec<PyScores> {
        (0..self.measured.scores.len()).map(|place| PyScores::new(&self.measured, place)).collect()
    }

    fn items(&self) -> Vec<(String, PyScores)> {
        self.keys().into_iter().zip(self.values()).collect()
    }

    #[pyo3(signature = (system, default = None, /))]
    fn get(
        &self,
        system: &str,
        default: Option<Py<PyScores>>,
        py: Python<'_>,
    ) -> PyResult<Option<Py<PyScores>>> {
        match self.__getitem__(system) {
            Ok(scores) => Py::new(py, scores).map(Some),
            Err(_) => Ok(default),
        }
    }

    #[getter]
    fn notes(&self) -> Vec<String> {
        self.measured.notes.clone()
    }

    #[pyo3(signature = (*, per_query = false))]
    fn to_dict<'py>(&self, py: Python<'py>, per_query: bool) -> PyResult<Bound<'py, PyAny>> {
        self.measured.to_dict(py, &self.measured.scores, per_query)
    }

    #[pyo3(signature = (*, per_query = false))]
    fn to_pandas<'py>(&self, py: Python<'py>, per_query: bool) -> PyResult<Bound<'py, PyAny>> {
        self.measured.columns(py, &self.measured.scores, per_query)?.frame("pandas")
    }

    #[pyo3(signature = (*, per_query = false))]
    fn to_polars<'py>(&self, py: Python<'py>, per_query: bool) -> PyResult<Bound<'py, PyAny>> {
        self.measured.columns(py, &self.measured.scores, per_query)?.frame("polars")
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        self.measured.html(py, &self.measured.scores)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.measured.text(py, &self.measured.scores)
    }
}
