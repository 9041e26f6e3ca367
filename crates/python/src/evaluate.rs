//! `llull.evaluate`: measures retrievers by expected answers.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use llull::config::{BudgetSettings, JudgeSettings, Overrides, typed_judges};
use llull::core::{Topic, Topics};
use llull::data::{Columns, EvaluationDataset, ExpectedQuery, ReadDatasetOptions, read_dataset};
use llull::expected_answers::{
    AnswerJudge, AnswerJudgeError, AnswerJudgment, AnswerQuestion, GatheredAnswers, MadeQueries,
    SystemResults, dataset_remarks, read_system_results, refusal_of_yes_and_no,
};
use llull::files::depth_needed;
use llull::judge::{OverlapOptions, TokenOverlap};
use llull::metrics::{Measure, evaluate_all};
use llull::report::check_sentence;
use llull::runner::Cancel;
use llull::{
    AnswerStudyOptions, Environment, JudgeFunction, StudyError, answer_study, asked_judgments,
    computed_answers, read_rubric, settled_contexts,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::{of_file, of_inputs, of_value};
use crate::function::{Interrupt, functions as judges_of};
use crate::measure::{Measured, PySystemScores, bootstrap, from_one, parse_measures};
use crate::pool;
use crate::study::{Variables, interruptible};

/// The queries of a dataset, by identifier.
#[pyfunction]
pub(crate) fn dataset_queries(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyDict>> {
    let queries = PyDict::new(py);
    let read = pool::install(py, || read_dataset(&path, &ReadDatasetOptions::default()))?.map_err(of_file)?;
    for query in read.dataset.queries {
        queries.set_item(query.id, query.text)?;
    }
    Ok(queries)
}

/// Evaluates the results of systems in files.
#[pyfunction]
#[pyo3(signature = (
    dataset, systems, judges, functions, measures, *, ledger, rubric, answers_separator, max_calls, confidence,
    resamples, seed,
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn evaluate_files(
    py: Python<'_>,
    dataset: PathBuf,
    systems: Vec<(String, PathBuf)>,
    judges: Vec<String>,
    functions: Vec<(String, Py<PyAny>)>,
    measures: &Bound<'_, PyAny>,
    ledger: Option<PathBuf>,
    rubric: Option<PathBuf>,
    answers_separator: Option<String>,
    max_calls: Option<i128>,
    confidence: f64,
    resamples: i128,
    seed: i128,
) -> PyResult<PySystemScores> {
    let (names, measures): (Vec<String>, Vec<Measure>) = parse_measures(measures, None)?.into_iter().unzip();
    let options = bootstrap(confidence, resamples, seed)?;
    let calls = max_calls.map(|limit| from_one("max_calls", limit)).transpose()?.map(|limit| limit as u64);
    let options_of_file = ReadDatasetOptions { answers_separator, ..ReadDatasetOptions::default() };
    let read = pool::install(py, || read_dataset(&dataset, &options_of_file))?.map_err(of_file)?;
    // A dataset in memory is a file of a temporary folder, whose name differs each time.
    let file = dataset.file_name().unwrap_or_default().to_string_lossy();
    let separator = options_of_file.answers_separator.as_deref();
    let (mut notes, warning) = dataset_remarks(&read.notes, &file, separator, "answers_separator=\",\"");
    notes.extend(warning);
    let made = MadeQueries::of(&read.dataset);
    if let Some(made) = &made {
        notes.push(format!("{made}: people may ask otherwise"));
        notes.extend(made.warnings(judges.iter().map(String::as_str)));
    }
    let topic = |query: &ExpectedQuery| Topic { id: query.id.clone(), text: query.text.clone() };
    let topics: Topics = read.dataset.queries.iter().map(topic).collect();
    let of_system = |path: &Path, name: &str| read_system_results(path, name, &Columns::default(), &topics);
    let results: Vec<SystemResults> = systems
        .iter()
        .map(|(name, path)| {
            let read = pool::install(py, || of_system(path, name))?.map_err(of_file)?;
            notes.extend(read.notes);
            Ok(read.value)
        })
        .collect::<PyResult<_>>()?;
    let retrieved = Retrieved { dataset: &read.dataset, systems: &results, depth: depth_needed(&measures) };
    let computing: Vec<Option<TokenOverlap>> = judges.iter().map(|name| counting(name)).collect();
    let rubric = rubric.as_deref().map(read_rubric).transpose().map_err(of_inputs)?;
    if computing.iter().all(Option::is_some) && rubric.is_some() {
        return Err(of_value(
            "rubric is for judges that grade, such as openai/gpt-4o-mini; token-overlap counts words",
        ));
    }
    if let Some(refusal) = rubric.as_ref().and_then(refusal_of_yes_and_no)
        && computing.iter().any(Option::is_some)
    {
        return Err(of_value(format!("rubric: {refusal}")));
    }
    let evaluation = match (computing.as_slice(), &ledger) {
        ([Some(judge)], None) => pool::install(py, || {
            let gathered = retrieved.gathered(judge.reads_identifiers());
            let judged = judge.judge(&gathered.questions())?;
            Ok::<_, AnswerJudgeError>(gathered.evaluation(judged))
        })?
        .map_err(of_inputs)?,
        _ => {
            let interrupt = Interrupt::default();
            let functions = judges_of(functions, &interrupt);
            let variables = Variables::at_hand()?;
            let gathered = retrieved.gathered(false);
            let questions = gathered.questions();
            let settings = pool::install(py, || {
                settings(&judges, &computing, &questions, (ledger.as_deref(), &variables))
            })??;
            let (judged, warnings) = interruptible(
                py,
                &interrupt,
                |_| Ok(()),
                || {
                    let limits = BudgetSettings { calls, ..BudgetSettings::default() };
                    let options = AnswerStudyOptions {
                        ledger: ledger.clone(),
                        limits,
                        rubric,
                        seed: Some(options.seed.0),
                        ..AnswerStudyOptions::default()
                    };
                    judged(&questions, settings, options, (&variables, &functions, &interrupt.cancel))
                },
            )?;
            notes.extend(warnings);
            gathered.evaluation(judged)
        }
    };
    if evaluation.qrels.is_empty() {
        return Err(of_inputs(
            "no query has expected_answers or expected_doc_ids, so there is nothing to find",
        ));
    }
    notes.extend(evaluation.warnings(made.as_ref()));
    let scores = pool::install(py, || evaluate_all(&measures, &evaluation.qrels, &evaluation.runs))?;
    let measured = Measured { scores, names, answered_only: false, options, notes };
    Ok(PySystemScores::new(Arc::new(measured)))
}

/// The judge of this name that counts words.
fn counting(name: &str) -> Option<TokenOverlap> {
    match name {
        "token-overlap" => TokenOverlap::new(OverlapOptions::default()).ok(),
        "token-overlap-evret" => TokenOverlap::new(OverlapOptions::of_evret()).ok(),
        _ => None,
    }
}

/// The results of systems for the queries of a dataset.
#[derive(Clone, Copy)]
struct Retrieved<'a> {
    dataset: &'a EvaluationDataset,
    systems: &'a [SystemResults],
    depth: Option<usize>,
}

impl<'a> Retrieved<'a> {
    fn gathered(self, reads_identifiers: bool) -> GatheredAnswers<'a> {
        GatheredAnswers::new(self.dataset, self.systems, self.depth, reads_identifiers)
    }
}

/// The judges as those of a study.
fn settings(
    judges: &[String],
    computing: &[Option<TokenOverlap>],
    questions: &[AnswerQuestion<'_>],
    (ledger, variables): (Option<&Path>, &Variables),
) -> PyResult<Vec<JudgeSettings>> {
    let exported = Overrides::from_environment(&|name| variables.exported(name)).map_err(of_value)?;
    let overrides = Overrides { concurrency: exported.concurrency, ..Overrides::default() };
    let asked = judges.iter().zip(computing).filter(|(_, computing)| computing.is_none());
    let asked: Vec<String> = asked.map(|(name, _)| name.clone()).collect();
    let mut asked = typed_judges(&asked, &overrides).map_err(of_inputs)?.into_iter();
    let mut settings = Vec::new();
    for computing in computing {
        match computing {
            Some(judge) => settings.push(computed_answers(judge, questions, ledger).map_err(of_inputs)?),
            None => settings.extend(asked.next()),
        }
    }
    Ok(settings)
}

/// Asks judges about every text and expected answer, in a study in memory.
fn judged(
    questions: &[AnswerQuestion<'_>],
    settings: Vec<JudgeSettings>,
    options: AnswerStudyOptions,
    (variables, functions, cancel): (&Variables, &[JudgeFunction], &Cancel),
) -> Result<(Vec<Vec<AnswerJudgment>>, Vec<String>), StudyError> {
    let environment: Environment<'_> = &|name| variables.get(name);
    let Some(study) = answer_study(questions, settings, options)? else {
        return Ok((questions.iter().map(|_| Vec::new()).collect(), Vec::new()));
    };
    let inputs = study.inputs()?;
    let judging = study.judge(&inputs).environment(environment).functions(functions).cancel(cancel);
    let outcome = judging.run()?;
    if let Some(cause) = outcome.cause_of_nothing() {
        return Err(cause);
    }
    let evidence = &outcome.evidence;
    let checks = study.judge_checks(&inputs, evidence);
    let mut notes: Vec<String> = inputs.notes.iter().map(ToString::to_string).collect();
    notes.extend(evidence.notes.iter().map(ToString::to_string));
    notes.extend(outcome.warnings());
    notes.extend(checks.iter().filter(|check| check.is_raised()).map(check_sentence));
    let settled = settled_contexts(&study, evidence, &inputs.rubric)?;
    let judged = asked_judgments(questions, evidence, &inputs.rubric, &settled);
    Ok((judged, notes))
}
