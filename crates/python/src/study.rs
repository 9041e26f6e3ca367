//! A study in a folder: judging, labels, reports.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use llull::config::Overrides;
use llull::core::Paradigm;
use llull::data::read_topics;
use llull::encoder::Encoder;
use llull::files::label_rows;
use llull::reach::Trust;
use llull::report::text::escape_html;
use llull::report::{ChartFile, Exporter as _, Limits, ReportView, Terminal, chart_files};
use llull::review::{ReviewOptions, ReviewQueue, annotator_name};
use llull::runner::{Event, Reporter};
use llull::{
    BatchImport, BatchResults, EncodingError, Environment, Inputs, Judging, JudgingOutcome, LiveRequests,
    Scaffold, Study, StudyError, StudyEvidence, Summary,
};
use llull_cli::{StudyEnvironment, exported_variables};
use llull_web::{ReviewServerOptions, ServeOptions, Server};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::{of_file, of_inputs, of_value};
use crate::function::{Interrupt, functions as judges_of};
use crate::inputs::PyLabelSet;
use crate::measure::{from_one, seed_of};
use crate::pool;
use crate::server::{PyStudyServer, StartError};
use crate::table::{Column, PyTable};

/// The queries of a file, by identifier.
#[pyfunction]
pub(crate) fn read_queries(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyDict>> {
    let queries = PyDict::new(py);
    for query in pool::install(py, || read_topics(&path))?.map_err(of_file)?.iter() {
        queries.set_item(&query.id, &query.text)?;
    }
    Ok(queries)
}

/// A study's folder, and how it is opened: values over `llull.toml`, trust, functions.
#[pyclass(name = "StudyFolder", module = "llull._llull", frozen)]
pub(crate) struct PyStudyFolder {
    folder: PathBuf,
    trust: Vec<String>,
}

/// What a study gives its steps.
struct Opening {
    folder: PathBuf,
    overrides: Overrides,
    trust: Trust,
    variables: Variables,
}

/// The variables of this process, as they were when a step began, and those of `.env`.
pub(crate) struct Variables {
    environment: StudyEnvironment,
    exported: BTreeMap<String, String>,
}

impl Variables {
    /// Reads them for a study in this folder.
    ///
    /// # Errors
    /// Returns an error if a `.env` is invalid.
    pub(crate) fn read(folder: &Path) -> PyResult<Self> {
        let environment = StudyEnvironment::read(folder).map_err(|error| of_inputs(format!("{error:#}")))?;
        Ok(Self { environment, exported: exported_variables() })
    }

    /// Reads them for judges outside a study. The user has not been able to trust a server that a `.env` of the
    /// current folder names, and it would get the user's key.
    ///
    /// # Errors
    /// Returns an error if the `.env` is invalid, or sets a variable of proxies.
    pub(crate) fn at_hand() -> PyResult<Self> {
        let Self { environment, exported } = Self::read(Path::new("."))?;
        let variables = Self { environment: environment.without_addresses(), exported };
        variables.refuse_proxies()?;
        Ok(variables)
    }

    fn refuse_proxies(&self) -> PyResult<()> {
        self.environment.refuse_proxies().map_err(|error| of_inputs(format!("{error:#}")))
    }

    pub(crate) fn exported(&self, name: &str) -> Option<String> {
        self.exported.get(name).filter(|value| !value.is_empty()).cloned()
    }

    pub(crate) fn get(&self, name: &str) -> Option<String> {
        self.exported(name).or_else(|| self.environment.in_files(name))
    }
}

impl Opening {
    /// Opens the study to send requests to its judges. Live systems without saved results get theirs first.
    fn to_ask(&self) -> Result<Study, StudyError> {
        let environment: Environment<'_> = &|name| self.variables.get(name);
        let study = Study::open_trusting(&self.folder, &self.overrides, &self.trust)?;
        let study = study.find_ledger(&self.trust, environment)?;
        let vectors = |_: &str, _: &[&str]| Err(no_encoder());
        let requests = LiveRequests { environment, vectors: &vectors };
        study.retrieval().ask_live(requests, false, |_| {})?;
        let encoder = |_: &str| Err::<Box<dyn Encoder>, StudyError>(no_encoder());
        study.retrieval().retrieve_dense(encoder, |_, _| {})?;
        study.students().encode(encoder, |_| {})?;
        Ok(study)
    }

    /// Describes servers that are not their providers' and get a key, and keys that are the study's own.
    fn key_notes(&self, study: &Study) -> Result<Vec<String>, StudyError> {
        let environment: Environment<'_> = &|name| self.variables.get(name);
        let mut notes = Vec::new();
        let settings = study.settings();
        for judge in settings.judges.iter().chain(&settings.graders) {
            let Some(endpoint) = study.endpoint(judge, environment)? else { continue };
            if endpoint.takes_key_elsewhere() {
                notes.push(format!("judge {}: {} at {endpoint}", judge.name, judge.model));
            }
            let note =
                endpoint.key_variable().and_then(|variable| self.variables.environment.key_note(variable));
            notes.extend(note.filter(|note| !notes.contains(note)));
        }
        Ok(notes)
    }

    fn last_study(&self) -> Result<Study, StudyError> {
        let (study, _) = Study::open_as_last_run(&self.folder, &self.overrides, &self.trust)?;
        study.find_ledger(&self.trust, &|name| self.variables.get(name))
    }

    /// Opens the study as its last run left it. It sends no request.
    fn as_last_run(&self) -> Result<(Study, Inputs, StudyEvidence), StudyError> {
        let study = self.last_study()?;
        let inputs = study.inputs()?;
        let evidence = study.evidence(&inputs)?;
        Ok((study, inputs, evidence))
    }
}

fn no_encoder() -> StudyError {
    StudyError::Encoding(EncodingError::Encoder(
        "vectors are computed by the command alone: llull run, once, for the systems and students that need them"
            .to_owned(),
    ))
}

/// How many questions of a run there are, are done, are unusable, failed.
#[derive(Default)]
struct Counts {
    total: AtomicUsize,
    done: AtomicUsize,
    unusable: AtomicUsize,
    failed: AtomicUsize,
}

impl Counts {
    fn count(&self, event: &Event<'_>) {
        let one = |count: &AtomicUsize| count.fetch_add(1, Ordering::Relaxed);
        match event {
            Event::Planned { tasks, reused, shared, without_text, .. } => {
                let open = tasks.saturating_sub(reused + shared + without_text);
                self.total.fetch_add(open, Ordering::Relaxed);
                return;
            }
            Event::Judged { .. } => {}
            Event::Unusable { again: false, .. } | Event::Refused { .. } => {
                one(&self.unusable);
            }
            Event::GaveUp { .. } => {
                one(&self.failed);
            }
            _ => return,
        }
        one(&self.done);
    }

    fn read(&self) -> (usize, usize, usize, usize) {
        let read = |count: &AtomicUsize| count.load(Ordering::Relaxed);
        (read(&self.done), read(&self.total), read(&self.unusable), read(&self.failed))
    }
}

/// Counts, and remembers a run as the study's last one when its first answer is recorded.
struct RunReporter<'a> {
    study: &'a Study,
    remembered: OnceLock<Result<(), StudyError>>,
    counts: &'a Counts,
}

impl Reporter for RunReporter<'_> {
    fn event(&self, event: Event<'_>) {
        self.counts.count(&event);
        if matches!(event, Event::Judged { .. }) {
            let _ = self.remembered.get_or_init(|| self.study.remember());
        }
    }
}

#[pymethods]
impl PyStudyFolder {
    #[new]
    fn new(py: Python<'_>, folder: PathBuf, trust: Vec<String>) -> PyResult<Self> {
        let opened = Self { folder, trust };
        // Errors of llull.toml come now.
        let opening = opened.opening(Overrides::default())?;
        let open =
            || Study::open_as_last_run(&opening.folder, &opening.overrides, &opening.trust).map(|_| ());
        pool::install(py, open)?.map_err(of_inputs)?;
        Ok(opened)
    }

    /// Writes a new study. The files are there, relative to the folder or elsewhere: the latter are copied.
    #[staticmethod]
    #[pyo3(signature = (folder, name, queries, corpus, systems, judges, rubric, reference))]
    #[expect(clippy::too_many_arguments, reason = "they are the parts of a study")]
    fn create(
        py: Python<'_>,
        folder: PathBuf,
        name: String,
        queries: String,
        corpus: Option<String>,
        systems: Vec<(String, String)>,
        judges: Vec<String>,
        rubric: Option<String>,
        reference: Option<String>,
    ) -> PyResult<()> {
        let usual = Scaffold::default();
        let (judge, others) = match judges.split_first() {
            Some((first, others)) => (first.clone(), others),
            None => (usual.judge.clone(), &[][..]),
        };
        let others = others.to_vec();
        let mut scaffold = Scaffold {
            name,
            topics: queries,
            corpus,
            runs: systems,
            reference,
            judge,
            others,
            rubric,
            ..usual
        };
        let written = py.detach(|| scaffold.copy_files(&folder).and_then(|_| scaffold.write(&folder)));
        written.map(|_| ()).map_err(of_inputs)
    }

    /// Runs the judges, writes the report and returns it. `progress` is called in this thread with counts.
    #[pyo3(signature = (options, functions, keep_going, progress))]
    fn run<'py>(
        &self,
        py: Python<'py>,
        options: &PyStudyOptions,
        functions: Vec<(String, Py<PyAny>)>,
        keep_going: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyStudyReport>> {
        let opening = self.opening(options.0.clone())?;
        opening.variables.refuse_proxies()?;
        let interrupt = Interrupt::default();
        let functions = judges_of(functions, &interrupt);
        let counts = Counts::default();
        let run = || -> Result<Reported, StudyError> {
            let study = opening.to_ask()?;
            let inputs = study.inputs()?;
            study.save_prompts()?;
            let first = RunReporter { study: &study, remembered: OnceLock::new(), counts: &counts };
            let environment: Environment<'_> = &|name| opening.variables.get(name);
            let judging =
                study.judge(&inputs).environment(environment).reporter(&first).cancel(&interrupt.cancel);
            let outcome = judging.functions(&functions).keep_going(keep_going).run()?;
            first.remembered.into_inner().transpose()?;
            if let Some(cause) = outcome.cause_of_nothing() {
                return Err(cause);
            }
            if outcome.tallies.iter().any(|judge| judge.judged > 0) {
                study.remember()?;
            }
            let complete = outcome.is_complete();
            let report = Reported::new(&study, &inputs, &outcome.evidence, true)?;
            let notes = [opening.key_notes(&study)?, report.notes, outcome.warnings()].concat();
            Ok(Reported { complete: report.complete && complete, notes, ..report })
        };
        let mut shown = None;
        let show = |py: Python<'_>| {
            let now = counts.read();
            match &progress {
                Some(progress) if now.1 > 0 && shown.replace(now) != Some(now) => {
                    progress.bind(py).call1(now).map(|_| ())
                }
                _ => Ok(()),
            }
        };
        PyStudyReport::new(py, interruptible(py, &interrupt, show, run)?)
    }

    /// The open requests of the next wave: each judge's name, and a line of a batch file.
    fn ask(
        &self,
        py: Python<'_>,
        options: &PyStudyOptions,
        functions: Vec<(String, Py<PyAny>)>,
    ) -> PyResult<Vec<(String, String)>> {
        let exported = self.exchange(py, options, functions, |judging| judging.export_batch())?;
        let lines = exported
            .open
            .into_iter()
            .flat_map(|(judge, lines)| lines.into_iter().map(move |line| (judge.clone(), line.to_string())));
        Ok(lines.collect())
    }

    /// Records results, lines of a batch file. Returns how many, how many were known, and how many requests are open.
    fn tell(
        &self,
        py: Python<'_>,
        options: &PyStudyOptions,
        functions: Vec<(String, Py<PyAny>)>,
        lines: &str,
    ) -> PyResult<(usize, usize, usize)> {
        let mut results = BatchResults::default();
        results.read("replies", lines.as_bytes()).map_err(of_inputs)?;
        self.exchange(py, options, functions, |judging| {
            let BatchImport { outcome, recorded, already_there, open, .. } = judging.import_batch(results)?;
            Ok((outcome, (recorded, already_there, open.values().map(Vec::len).sum())))
        })
    }

    /// The report of what the ledger holds.
    #[pyo3(signature = (options, write))]
    fn report<'py>(
        &self,
        py: Python<'py>,
        options: &PyStudyOptions,
        write: bool,
    ) -> PyResult<Bound<'py, PyStudyReport>> {
        let opening = self.opening(options.0.clone())?;
        let report = move || {
            let (study, inputs, evidence) = opening.as_last_run()?;
            Reported::new(&study, &inputs, &evidence, write)
        };
        // What writes files is waited for: the next call may write the same ones.
        let report = if write { pool::install(py, report)? } else { pool::abandonable(py, report)? };
        PyStudyReport::new(py, report.map_err(of_inputs)?)
    }

    /// The labels of what the ledger holds.
    fn labels<'py>(&self, py: Python<'py>, options: &PyStudyOptions) -> PyResult<Bound<'py, PyLabelSet>> {
        let opening = self.opening(options.0.clone())?;
        let known = pool::abandonable(py, move || opening.as_last_run())?.map_err(of_inputs)?;
        let (_, inputs, evidence) = known;
        let notes =
            [inputs.notes.iter().map(ToString::to_string).collect::<Vec<_>>(), evidence_notes(&evidence)];
        let (labels, mixed) = (&evidence.labels, evidence.mixed());
        crate::label::of_labels(py, labels, mixed, &label_rows(labels, mixed), notes.concat())
    }

    /// The pages of `llull serve`, until the server is stopped or dropped.
    fn serve(&self, py: Python<'_>, port: u16) -> PyResult<PyStudyServer> {
        let opening = self.opening(Overrides::default())?;
        let study = pool::install(py, || opening.last_study())?.map_err(of_inputs)?;
        PyStudyServer::start(py, || {
            let mut server = Server::open(study, &ServeOptions { port, ..ServeOptions::default() })?;
            let mut interrupt = None;
            server.wait_until_read(|_| {
                interrupt = Python::attach(|py| py.check_signals()).err();
                interrupt.is_none()
            })?;
            Ok((server, interrupt))
        })
    }

    /// The pages of `llull review`.
    #[pyo3(signature = (annotator, queue, query, overlap, most, port))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn review(
        &self,
        py: Python<'_>,
        annotator: Option<String>,
        queue: Option<&str>,
        query: Option<String>,
        overlap: Option<i128>,
        most: Option<i128>,
        port: u16,
    ) -> PyResult<PyStudyServer> {
        let chosen = queue.map(|name| queue_of(name, annotator.as_deref())).transpose()?;
        let chosen = query.map(ReviewQueue::Query).or(chosen);
        let whole =
            |name: &str, number: Option<i128>| number.map(|number| from_one(name, number)).transpose();
        let (overlap, most) = (whole("overlap", overlap)?, whole("most", most)?);
        let opening = self.opening(Overrides::default())?;
        let study = pool::install(py, || opening.last_study())?.map_err(of_inputs)?;
        PyStudyServer::start(py, || {
            let usual =
                if study.settings().tournament.is_some() { ReviewQueue::Random } else { ReviewQueue::Sample };
            let queue = chosen.unwrap_or(usual);
            if queue == ReviewQueue::Sample && most.is_some() {
                return Err(StartError(
                    "most: a sample is shown whole, and its number is fixed when it is drawn; leave it out"
                        .to_owned(),
                ));
            }
            let review = ReviewOptions { queue, overlap, most, expected: None };
            let review = ReviewServerOptions { review, annotator };
            let options = ServeOptions { port, ..ServeOptions::default() };
            Ok((Server::review(study, &options, &review)?, None))
        })
    }
}

/// The queue of a name.
///
/// # Errors
/// Returns a `ValueError` for a name that no queue has, and for pairs to settle without the annotator.
fn queue_of(name: &str, annotator: Option<&str>) -> PyResult<ReviewQueue> {
    let annotator = match annotator {
        Some(annotator) => annotator_name(annotator).map_err(of_value)?,
        None if name == "adjudicate" => {
            return Err(of_value(
                "queue adjudicate needs an annotator: the pairs are those that this one did not label",
            ));
        }
        None => String::new(),
    };
    let found =
        ReviewQueue::of_name(name, &annotator).filter(|queue| !matches!(queue, ReviewQueue::Query(_)));
    found.ok_or_else(|| {
        of_value(format!(
            "queue is {name:?}; expected \"sample\", \"adjudicate\", \"random\", \"disagreement\", \"cycles\", \
             \"failures\" or \"checks\""
        ))
    })
}

impl PyStudyFolder {
    /// Exchanges requests and results with a caller that asks the models.
    fn exchange<T: Send>(
        &self,
        py: Python<'_>,
        options: &PyStudyOptions,
        functions: Vec<(String, Py<PyAny>)>,
        work: impl FnOnce(Judging<'_>) -> Result<(JudgingOutcome, T), StudyError> + Send,
    ) -> PyResult<T> {
        let opening = self.opening(options.0.clone())?;
        opening.variables.refuse_proxies()?;
        let interrupt = Interrupt::default();
        let functions = judges_of(functions, &interrupt);
        let exchange = || {
            let study = opening.to_ask()?;
            let inputs = study.inputs()?;
            study.save_prompts()?;
            let environment: Environment<'_> = &|name| opening.variables.get(name);
            let judging = study.judge(&inputs).environment(environment).cancel(&interrupt.cancel);
            let (outcome, done) = work(judging.functions(&functions))?;
            if outcome.tallies.iter().any(|judge| judge.judged > 0) {
                study.remember()?;
            }
            Ok(done)
        };
        interruptible(py, &interrupt, |_| Ok(()), exchange)
    }

    fn opening(&self, overrides: Overrides) -> PyResult<Opening> {
        let variables = Variables::read(&self.folder)?;
        let Variables { environment, .. } = &variables;
        let in_files = Overrides::from_environment(&|name| environment.in_files(name)).map_err(of_value)?;
        let overrides = overrides
            .over(Overrides::from_environment(&|name| variables.exported(name)).map_err(of_value)?)
            .over(in_files.from_file(".env"));
        let mut trust = Trust::default().variables_of_study(environment.of_files());
        let several = variables.exported("LLULL_TRUST").unwrap_or_default();
        let remembered =
            llull_cli::remembered_trust(&self.folder).map_err(|error| of_inputs(format!("{error:#}")))?;
        let typed = self.trust.iter().map(String::as_str);
        for entry in typed.chain(several.split(',')).chain(remembered.iter().map(String::as_str)) {
            trust = trust.with(entry).map_err(|error| of_value(format!("trust: {error}")))?;
        }
        Ok(Opening { folder: self.folder.clone(), overrides, trust, variables })
    }
}

/// Runs in another thread, while this one looks for Ctrl-C and calls `show`. On Ctrl-C, or if `show` raises, no new
/// question is sent, answers in flight are recorded, and the exception is raised.
///
/// The run has threads of its own: it waits for judges, and a judge may be a function that computes in the threads of
/// the process.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    interrupt: &Interrupt,
    mut show: impl FnMut(Python<'_>) -> PyResult<()> + Send,
    work: impl FnOnce() -> Result<T, StudyError> + Send,
) -> PyResult<T> {
    let pool = pool::new()?;
    let done = py.detach(|| {
        std::thread::scope(|scope| {
            let worker = scope.spawn(|| pool.install(work));
            let mut stopped = false;
            loop {
                let finished = worker.is_finished();
                let looked = Python::attach(|py| {
                    py.check_signals().and_then(|()| if stopped { Ok(()) } else { show(py) })
                });
                if let Err(error) = looked {
                    interrupt.raise(error);
                    stopped = true;
                }
                if finished {
                    break worker.join();
                }
                std::thread::sleep(pool::LOOK);
            }
        })
    });
    if let Some(raised) = interrupt.take() {
        return Err(raised);
    }
    match done {
        Ok(done) => done.map_err(of_inputs),
        Err(_) => {
            Err(PyRuntimeError::new_err("llull failed unexpectedly; the answers so far are in the ledger"))
        }
    }
}

/// Values over `llull.toml`.
#[pyclass(name = "StudyOptions", module = "llull._llull", frozen)]
pub(crate) struct PyStudyOptions(Overrides);

#[pymethods]
impl PyStudyOptions {
    #[new]
    #[pyo3(signature = (
        judges, measures = Vec::new(), depth = None, baseline = None, paradigm = None, method = None, prompt = None,
        base_url = None, seed = None, concurrency = None, max_calls = None, max_usd = None, ignore_checks = false,
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn new(
        judges: Vec<String>,
        measures: Vec<String>,
        depth: Option<i128>,
        baseline: Option<String>,
        paradigm: Option<&str>,
        method: Option<&str>,
        prompt: Option<String>,
        base_url: Option<String>,
        seed: Option<i128>,
        concurrency: Option<i128>,
        max_calls: Option<i128>,
        max_usd: Option<f64>,
        ignore_checks: bool,
    ) -> PyResult<Self> {
        let paradigm = paradigm.map(|name| {
            let found = Paradigm::ALL.into_iter().find(|paradigm| paradigm.name() == name);
            found.ok_or_else(|| {
                of_value(format!("paradigm is {name:?}; expected \"graded\", \"pairwise\" or \"listwise\""))
            })
        });
        let method = method.map(|name| name.parse().map_err(|error| of_value(format!("method: {error}"))));
        let whole =
            |name: &str, number: Option<i128>| number.map(|number| from_one(name, number)).transpose();
        if let Some(limit) = max_usd.filter(|limit| limit.is_nan() || *limit <= 0.0) {
            return Err(of_value(format!("max_usd is {limit}; expected a number above 0")));
        }
        Ok(Self(Overrides {
            judges,
            measures,
            depth: whole("depth", depth)?,
            baseline,
            paradigm: paradigm.transpose()?,
            method: method.transpose()?,
            prompt,
            base_url,
            seed: seed.map(seed_of).transpose()?.map(|seed| seed.0),
            concurrency: whole("concurrency", concurrency)?,
            max_calls: whole("max_calls", max_calls)?.map(|limit| limit as u64),
            max_usd,
            ignore_checks,
            ..Overrides::default()
        }))
    }
}

/// A report, made.
struct Reported {
    summary: Summary,
    text: String,
    html: String,
    markdown: String,
    charts: Vec<ChartFile>,
    labels: usize,
    complete: bool,
    notes: Vec<String>,
}

fn evidence_notes(evidence: &StudyEvidence) -> Vec<String> {
    evidence.notes.iter().map(ToString::to_string).collect()
}

impl Reported {
    fn new(
        study: &Study,
        inputs: &Inputs,
        evidence: &StudyEvidence,
        write: bool,
    ) -> Result<Self, StudyError> {
        let report = study.report(inputs, evidence)?;
        if write {
            study.reports().write(inputs, &report)?;
        }
        let inputs_notes = inputs.notes.iter().map(ToString::to_string);
        let view = ReportView::new(report.summary(), Limits::default());
        Ok(Self {
            text: Terminal.to_text(&view)?,
            html: report.html()?,
            markdown: report.markdown()?,
            charts: chart_files(&view, "report"),
            labels: evidence.labels.labelled(),
            complete: evidence.is_complete(),
            notes: inputs_notes.chain(evidence_notes(evidence)).collect(),
            summary: report.into_summary(),
        })
    }
}

/// The report of a study.
#[pyclass(name = "StudyReport", module = "llull", frozen, extends = PyTable)]
pub(crate) struct PyStudyReport {
    html: String,
    markdown: String,
    charts: Vec<ChartFile>,
    labels: usize,
    complete: bool,
}

impl PyStudyReport {
    fn new(py: Python<'_>, report: Reported) -> PyResult<Bound<'_, Self>> {
        let Reported { summary, text, html, markdown, charts, labels, complete, notes } = report;
        let figures = || {
            summary
                .systems
                .iter()
                .flat_map(|system| system.figures.iter().map(|figure| (&system.system, figure)))
        };
        let count = |number: usize| i64::try_from(number).ok();
        let columns = vec![
            ("system", Column::Texts(figures().map(|(system, _)| system.clone()).collect())),
            ("measure", Column::Texts(figures().map(|(_, figure)| figure.measure.clone()).collect())),
            ("mean", Column::Numbers(figures().map(|(_, figure)| figure.mean).collect())),
            ("low", Column::Numbers(figures().map(|(_, figure)| figure.low).collect())),
            ("high", Column::Numbers(figures().map(|(_, figure)| figure.high).collect())),
            ("queries", Column::Whole(figures().map(|(_, figure)| count(figure.n)).collect())),
            ("missing", Column::Whole(figures().map(|(_, figure)| count(figure.missing_topics)).collect())),
            ("unjudged_share", Column::Numbers(figures().map(|(_, figure)| figure.unjudged_share).collect())),
        ];
        let table = PyTable::new(&summary, columns, text, notes)?;
        Bound::new(py, (Self { html, markdown, charts, labels, complete }, table))
    }
}

#[pymethods]
impl PyStudyReport {
    /// Whether every question has an answer.
    #[getter]
    fn complete(&self) -> bool {
        self.complete
    }

    /// How many pairs have a label.
    #[getter]
    fn labelled(&self) -> usize {
        self.labels
    }

    fn html(&self) -> &str {
        &self.html
    }

    fn markdown(&self) -> &str {
        &self.markdown
    }

    /// The table, and the charts as images, since their styles would change the notebook's.
    fn _repr_html_(slf: PyRef<'_, Self>) -> String {
        let mut html = slf.as_super().html();
        for ChartFile { title, svg, .. } in &slf.charts {
            html.push_str("<p>");
            html.push_str(&escape_html(title));
            html.push_str("</p><img style=\"max-width:100%\" src=\"data:image/svg+xml,");
            for byte in svg.bytes() {
                match byte.is_ascii_alphanumeric() {
                    true => html.push(char::from(byte)),
                    false => html.push_str(&format!("%{byte:02X}")),
                }
            }
            html.push_str("\">");
        }
        html
    }

    /// The report of a terminal: the judges, a table of systems, what to do next.
    fn table(slf: PyRef<'_, Self>) -> String {
        slf.into_super().text().to_owned()
    }
}
