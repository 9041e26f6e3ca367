//! `llull.compare`, and the comparison that it returns.

use std::sync::Arc;

use llull::core::Run;
use llull::files::{
    ComparisonLimits, Corrections, MissingBounds, SystemsComparison, compare_systems, depth_under,
    note_of_left_out, warning_of_unanswered, warnings_of_tests, warnings_of_unjudged_shares,
};
use llull::human_labels::{CorrectionError, CorrectionOptions, Corrector};
use llull::metrics::{Evaluator, Measure};
use llull::report::{
    ComparisonFinding, ComparisonView, Exporter, Family, GateResult, Latex, Markdown, SignificanceOptions,
    Terminal, TestedComparison, check_comparable, comparison_json, warning_of_unlabelled, without_relevant,
};
use llull::stats::{BootstrapOptions, Correction, Estimand, Gate, GateSubject, Looks, PairTest};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use rayon::prelude::*;

use crate::error::{of_inputs, of_value};
use crate::frame::{self, Columns};
use crate::inputs::Labels;
use crate::measure::{
    DEFAULT_MEASURE, Measured, PyScores, bootstrap, drawn, from_one, is_float32, parse_measures,
};
use crate::pool;
use crate::sample::SampledHow;
use crate::systems::read_runs;

/// Tests whether systems differ.
#[pyfunction]
#[pyo3(signature = (
    qrels, runs, measures = None, *, baseline = None, test = "permutation", correct = None, significance = 0.05,
    equivalent = None, draws = None, gates = Vec::new(), ties = "float64", round = false, repeats = None,
    confidence = 0.95, resamples = 10_000, seed = 42,
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn compare(
    py: Python<'_>,
    qrels: &Bound<'_, PyAny>,
    runs: &Bound<'_, PyAny>,
    measures: Option<&Bound<'_, PyAny>>,
    baseline: Option<String>,
    test: &str,
    correct: Option<&str>,
    significance: f64,
    equivalent: Option<f64>,
    draws: Option<i128>,
    gates: Vec<String>,
    ties: &str,
    round: bool,
    repeats: Option<&str>,
    confidence: f64,
    resamples: i128,
    seed: i128,
) -> PyResult<PyComparison> {
    let options = significance_options(
        (test, correct, significance, equivalent),
        draws,
        baseline.is_some(),
        bootstrap(confidence, resamples, seed)?,
    )?;
    compared(py, qrels, runs, measures, baseline, options, &gates, (ties, round, repeats), None)
}

/// Compares systems by figures that human labels of a random sample correct.
#[pyfunction]
#[pyo3(signature = (
    labels, runs, measures = None, *, human, sampled, baseline = None, estimand = "queries_like_these",
    anytime = None, test = "permutation", correct = None, significance = 0.05, equivalent = None, draws = None,
    gates = Vec::new(), round = false, repeats = None, confidence = 0.95, resamples = 10_000, seed = 42,
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn correct(
    py: Python<'_>,
    labels: &Bound<'_, PyAny>,
    runs: &Bound<'_, PyAny>,
    measures: Option<&Bound<'_, PyAny>>,
    human: &Bound<'_, PyAny>,
    sampled: &Bound<'_, PyAny>,
    baseline: Option<String>,
    estimand: &str,
    anytime: Option<i128>,
    test: &str,
    correct: Option<&str>,
    significance: f64,
    equivalent: Option<f64>,
    draws: Option<i128>,
    gates: Vec<String>,
    round: bool,
    repeats: Option<&str>,
    confidence: f64,
    resamples: i128,
    seed: i128,
) -> PyResult<PyComparison> {
    let options = significance_options(
        (test, correct, significance, equivalent),
        draws,
        baseline.is_some(),
        bootstrap(confidence, resamples, seed)?,
    )?;
    let looks = anytime.map(|labels| from_one("anytime", labels)).transpose()?;
    let correction = CorrectionOptions {
        estimand: match estimand {
            "queries_like_these" => Estimand::QueriesLikeThese,
            "these_queries" => Estimand::TheseQueries,
            other => {
                return Err(of_value(format!(
                    "estimand is {other:?}; expected \"queries_like_these\" or \"these_queries\""
                )));
            }
        },
        confidence,
        looks: looks.map_or(Looks::Once, |labels| Looks::AnyTime { narrowest_at: labels }),
    };
    let human = Labels::read(human, None, round, repeats)?;
    let people = HumanSample { labels: human, how: SampledHow::of(sampled)?, options: correction };
    compared(py, labels, runs, measures, baseline, options, &gates, ("float64", round, repeats), Some(people))
}

/// Human labels of a random sample.
struct HumanSample {
    labels: Labels,
    how: SampledHow,
    options: CorrectionOptions,
}

fn significance_options(
    (test, correct, significance, equivalent): (&str, Option<&str>, f64, Option<f64>),
    draws: Option<i128>,
    has_baseline: bool,
    bootstrap: BootstrapOptions,
) -> PyResult<SignificanceOptions> {
    let test: PairTest = test.parse().map_err(|error| of_value(format!("test: {error}")))?;
    Ok(SignificanceOptions {
        test,
        correction: correction(test, correct)?,
        significance: between("significance", significance, 0.0, 1.0)?,
        draws: draws.map(|number| drawn("draws", number)).transpose()?,
        family: if has_baseline { Family::Baseline } else { Family::AllPairs },
        margin: equivalent.map(|margin| between("equivalent", margin, 0.0, f64::INFINITY)).transpose()?,
        bootstrap,
    })
}

#[expect(clippy::too_many_arguments, reason = "they are the arguments of two functions of Python")]
fn compared(
    py: Python<'_>,
    qrels: &Bound<'_, PyAny>,
    runs: &Bound<'_, PyAny>,
    measures: Option<&Bound<'_, PyAny>>,
    baseline: Option<String>,
    options: SignificanceOptions,
    gates: &[String],
    (ties, round, repeats): (&str, bool, Option<&str>),
    people: Option<HumanSample>,
) -> PyResult<PyComparison> {
    let gates = gates.iter().map(|gate| gate.parse::<Gate>());
    let gates: Vec<Gate> =
        gates.collect::<Result<_, _>>().map_err(|error| of_value(format!("gates: {error}")))?;
    let (names, measures) = compared_measures(py, measures, &gates)?;
    let float32 = is_float32(ties)?;
    let labels = Labels::read(qrels, Some(&measures), round, repeats)?;
    let mut notes = labels.notes.clone();
    let depth = depth_under(&measures, &labels.qrels);
    let held = read_runs(py, runs, &labels, (float32, depth), &mut notes)?;
    let names_of_systems: Vec<&str> = held.iter().map(|run| run.name.as_str()).collect();
    let place = match &baseline {
        None => 0,
        Some(baseline) => names_of_systems.iter().position(|name| name == baseline).ok_or_else(|| {
            of_value(format!(
                "baseline {baseline:?} is not one of the systems, which are {}",
                names_of_systems.join(", ")
            ))
        })?,
    };
    if held.len() < 2 {
        return Err(of_value("there is nothing to compare with: name at least two systems"));
    }
    let runs: Vec<Run> = held.iter().map(|run| Run::clone(run)).collect();
    let baseline = runs.get(place).map(|run| run.name.clone()).unwrap_or_default();
    let mut limits = ComparisonLimits::default();
    if let Some(HumanSample { labels: human, how, options }) = people {
        notes.extend(human.notes);
        let (judge, all) = (Arc::clone(&labels.qrels), measures.clone());
        let runs: Vec<Run> = runs.iter().map(|run| run.clone().without_dropped(&judge)).collect();
        let corrected = pool::abandonable(py, move || {
            let corrector = Corrector::new(&judge, &runs, &human.qrels, how.how(), options)?;
            all.iter().try_for_each(|measure| corrector.check(measure, true))?;
            let systems = runs.iter().enumerate().map(|(place, run)| (run.name.as_str(), place));
            Ok::<_, CorrectionError>((corrector.notes(), Corrections::of(&corrector, &all, place, systems)))
        })?;
        let (remarks, corrections) = corrected.map_err(|error| of_value(format!("human: {error}")))?;
        notes.extend(remarks);
        limits.corrected = corrections;
        limits.by_judges_alone = true;
    }
    let bootstrap = options.bootstrap;
    let (qrels, base, all) = (Arc::clone(&labels.qrels), baseline.clone(), measures.clone());
    let (scores, compared) = pool::abandonable(py, move || {
        let evaluator = Evaluator::new(&all, &qrels);
        let scores: Vec<_> = runs.par_iter().map(|run| evaluator.evaluate(run)).collect();
        limits.missing = MissingBounds::of_runs(&qrels, &all, &runs, place);
        let compared = compare_systems(&scores, &base, &options, &gates, &limits);
        (scores, compared)
    })?;
    let comparison = compared.map_err(of_inputs)?;
    notes.extend(warning_of_unlabelled(&scores));
    notes.extend(warning_of_unanswered(&scores));
    notes.extend(scores.first().map(without_relevant).into_iter().flatten());
    notes.extend(note_of_left_out(&measures));
    notes.extend(warnings_of_tests(&comparison.tables));
    notes.extend(warnings_of_unjudged_shares(&comparison.tables));
    let measured = Measured { scores, names, answered_only: false, options: bootstrap, notes };
    Ok(PyComparison { comparison, measured: Arc::new(measured), baseline })
}

/// The measures that are given, or else those of the gates, or else the default, each with the name that was
/// written.
fn compared_measures(
    py: Python<'_>,
    wanted: Option<&Bound<'_, PyAny>>,
    gates: &[Gate],
) -> PyResult<(Vec<String>, Vec<Measure>)> {
    let of_gates: Vec<&str> = gates.iter().map(Gate::measure).collect();
    let default = PyString::new(py, DEFAULT_MEASURE);
    let mut written = match wanted {
        Some(wanted) => parse_measures(wanted, None)?,
        None if gates.is_empty() => parse_measures(default.as_any(), None)?,
        None => Vec::new(),
    };
    for (_, measure) in &written {
        check_comparable(measure).map_err(of_value)?;
    }
    for (gate, name) in gates.iter().zip(of_gates) {
        for (name, measure) in parse_measures(PyString::new(py, name).as_any(), None)? {
            if gate.subject() == GateSubject::Difference {
                check_comparable(&measure).map_err(of_value)?;
            }
            if !written.iter().any(|(_, known)| *known == measure) {
                written.push((name, measure));
            }
        }
    }
    Ok(written.into_iter().unzip())
}

pub(crate) fn correction(test: PairTest, wanted: Option<&str>) -> PyResult<Correction> {
    let wanted: Option<Correction> =
        wanted.map(|how| how.parse().map_err(|error| of_value(format!("correct: {error}")))).transpose()?;
    match (test, wanted) {
        (PairTest::Tukey, Some(correction)) if correction != Correction::None => Err(of_value(format!(
            "correct={correction}: test=\"tukey\" corrects p for all systems by itself; leave out correct, or choose \
             another test"
        ))),
        (_, correction) => Ok(correction.unwrap_or_default()),
    }
}

/// A value between two others, neither of which it may be.
fn between(name: &str, value: f64, low: f64, high: f64) -> PyResult<f64> {
    match value > low && value < high {
        true => Ok(value),
        false if high.is_finite() => {
            Err(of_value(format!("{name} is {value}; expected above {low} and below {high}")))
        }
        false => Err(of_value(format!("{name} is {value}; expected a number above {low}"))),
    }
}

/// Several systems: their figures, and which of them differ.
#[pyclass(name = "Comparison", module = "llull", frozen)]
pub(crate) struct PyComparison {
    comparison: SystemsComparison,
    measured: Arc<Measured>,
    baseline: String,
}

impl PyComparison {
    fn compared(&self) -> impl Iterator<Item = &TestedComparison> {
        self.comparison.tables.iter().flat_map(|table| &table.comparisons)
    }

    fn view(&self) -> ComparisonView {
        ComparisonView::new(&self.comparison.tables, &self.comparison.gates)
    }

    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Columns<'py>> {
        let all: Vec<PyDifference> = self.differences();
        let column = |value: fn(&PyDifference) -> Option<f64>| all.iter().map(value).collect::<Vec<_>>();
        let words = |value: fn(&PyDifference) -> &str| {
            all.iter().map(|one| value(one).to_owned()).collect::<Vec<_>>()
        };
        let counts = |value: fn(&PyDifference) -> usize| all.iter().map(value).collect::<Vec<_>>();
        Columns::new(py)
            .with("system", words(|one| &one.system))?
            .with("baseline", words(|one| &one.baseline))?
            .with("measure", words(|one| &one.measure))?
            .with("difference", column(|one| one.mean))?
            .with("low", column(|one| one.interval.map(|(low, _)| low)))?
            .with("high", column(|one| one.interval.map(|(_, high)| high)))?
            .with("p", column(|one| one.p))?
            .with("p_adjusted", column(|one| one.p_adjusted))?
            .with("decision", words(|one| &one.decision))?
            .with("wins", counts(|one| one.wins))?
            .with("ties", counts(|one| one.ties))?
            .with("losses", counts(|one| one.losses))
    }
}

#[pymethods]
impl PyComparison {
    #[getter]
    fn baseline(&self) -> &str {
        &self.baseline
    }

    #[getter]
    fn scores<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let scores = PyDict::new(py);
        for (place, system) in self.measured.scores.iter().enumerate() {
            scores.set_item(&system.run, PyScores::new(&self.measured, place))?;
        }
        Ok(scores)
    }

    #[getter]
    fn differences(&self) -> Vec<PyDifference> {
        self.compared().map(PyDifference::of).collect()
    }

    #[getter]
    fn gates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        frame::as_json(py, &self.comparison.gates)
    }

    #[getter]
    fn passed(&self) -> bool {
        self.comparison.gates.iter().all(|gate: &GateResult| gate.passed)
    }

    #[getter]
    fn notes(&self) -> Vec<String> {
        self.measured.notes.clone()
    }

    fn __getitem__(&self, pair: (String, String)) -> PyResult<PyDifference> {
        let (system, measure) = pair;
        // Any of the measure's names will do.
        let printed =
            measure.parse::<Measure>().map_or_else(|_| measure.clone(), |measure| measure.to_string());
        let found = self
            .compared()
            .find(|tested| tested.comparison.system == system && tested.comparison.measure == printed);
        found.map(PyDifference::of).ok_or_else(|| {
            let known: Vec<String> = self
                .compared()
                .map(|tested| format!("({:?}, {:?})", tested.comparison.system, tested.comparison.measure))
                .collect();
            PyKeyError::new_err(format!(
                "no comparison ({system:?}, {measure:?}); there are {}",
                known.join(", ")
            ))
        })
    }

    fn __len__(&self) -> usize {
        self.compared().count()
    }

    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let SystemsComparison { tables, gates } = &self.comparison;
        frame::as_json(py, &comparison_json(&self.baseline, tables.clone(), gates))
    }

    fn to_markdown(&self) -> PyResult<String> {
        Markdown::default().to_text(&self.view()).map_err(of_inputs)
    }

    fn to_latex(&self) -> PyResult<String> {
        Latex.to_text(&self.view()).map_err(of_inputs)
    }

    fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.columns(py)?.frame("pandas")
    }

    fn to_polars<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.columns(py)?.frame("polars")
    }

    fn _repr_html_(&self) -> String {
        self.view().html()
    }

    fn __repr__(&self) -> PyResult<String> {
        Terminal.to_text(&self.view()).map_err(of_inputs)
    }
}

/// A system against the baseline, by one measure.
#[pyclass(name = "Difference", module = "llull", frozen, get_all)]
pub(crate) struct PyDifference {
    system: String,
    baseline: String,
    measure: String,
    mean: Option<f64>,
    interval: Option<(f64, f64)>,
    p: Option<f64>,
    p_adjusted: Option<f64>,
    significant: bool,
    decision: String,
    sentence: String,
    wins: usize,
    ties: usize,
    losses: usize,
    queries_needed: Option<usize>,
}

impl PyDifference {
    fn of(tested: &TestedComparison) -> Self {
        let TestedComparison { comparison, test, .. } = tested;
        let corrected = comparison.ppi.as_ref();
        Self {
            system: comparison.system.clone(),
            baseline: comparison.baseline.clone(),
            measure: comparison.measure.clone(),
            mean: corrected.map_or(comparison.mean_difference, |found| Some(found.value)),
            interval: corrected
                .map_or(comparison.low.zip(comparison.high), |found| Some((found.low, found.high))),
            p: test.p,
            p_adjusted: test.p_adjusted,
            significant: test.significant,
            decision: name_of(comparison.decision),
            sentence: comparison.sentence.clone(),
            wins: comparison.wins,
            ties: comparison.ties,
            losses: comparison.losses,
            queries_needed: tested.power.topics_needed,
        }
    }
}

/// The name of a decision, as in JSON.
fn name_of(decision: ComparisonFinding) -> String {
    let json = serde_json::to_value(decision).unwrap_or_default();
    json.get("decision").and_then(|name| name.as_str()).unwrap_or_default().to_owned()
}

#[pymethods]
impl PyDifference {
    fn __repr__(&self) -> String {
        format!("<Difference {} - {}, {}: {}>", self.system, self.baseline, self.measure, self.sentence)
    }
}
