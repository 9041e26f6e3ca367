//! Prints an evaluation in each format.

use anyhow::Result;
use llull::AnnotatorAgreement;
use llull::expected_answers::{AnswerEvaluation, FactsTally, MadeQueries, SystemAnswers};
use llull::judge::Rubric;
use llull::metrics::{Scores, TrecEvalMeasure};
use llull::report::text::{ABSENT, Table, count, shorten, words};
use llull::report::{
    ComparisonView, Exporter, GateResult, Markdown, MeasuredSystem, Measurement, Report, RetrievalFigures,
    SignificanceTable, Terminal, TestedComparison, figures,
};
use llull::stats::BootstrapOptions;
use serde::Serialize;

use super::annotators::agreement_table;
use super::judged::{Agreement, JudgeOfAnswers};
use crate::args::{EvaluateArgs, Format};
use crate::commands::{Context, measure, table};

/// The results of an evaluation.
pub(super) struct Evaluated {
    pub(super) judges: Vec<JudgeOfAnswers>,
    pub(super) agreement: Option<Agreement>,
    /// The rubric by which judges graded, if not yes and no.
    pub(super) rubric: Option<RubricOfAnswers>,
    /// The facts that judges judged; `None` if they judged answers.
    pub(super) facts: Option<FactsOfAnswers>,
    pub(super) evaluation: AnswerEvaluation,
    /// Which questions were made by models; `None` if none was.
    pub(super) made: Option<MadeQueries>,
    pub(super) named: Vec<TrecEvalMeasure>,
    pub(super) scores: Vec<Scores>,
    pub(super) tables: Vec<SignificanceTable>,
    pub(super) gates: Vec<GateResult>,
    pub(super) bootstrap: BootstrapOptions,
    /// Times and costs of systems, in their order.
    pub(super) retrieval: Vec<Option<RetrievalFigures>>,
    /// The report on judges that got requests; `None` unless a report is wanted.
    pub(super) asked: Option<Report<()>>,
    /// Down to which rank results count.
    pub(super) depth: Option<usize>,
    /// The agreement of judges with annotators, if annotators answered.
    pub(super) people: Option<AnnotatorAgreement>,
}

/// Systems with how long they took.
fn timed(mut systems: Vec<MeasuredSystem>, retrieval: &[Option<RetrievalFigures>]) -> Vec<MeasuredSystem> {
    for (system, found) in systems.iter_mut().zip(retrieval) {
        system.retrieval.clone_from(found);
    }
    systems
}

/// The grades that count as a match.
#[derive(Serialize)]
pub(super) struct RubricOfAnswers {
    pub(super) name: String,
    pub(super) low: i32,
    pub(super) high: i32,
    pub(super) cutoff: i32,
}

impl RubricOfAnswers {
    pub(super) fn of(rubric: &Rubric) -> Self {
        let (low, high) = (rubric.scale.low(), rubric.scale.high());
        Self { name: rubric.name.clone(), low, high, cutoff: rubric.cutoff }
    }
}

/// The facts that judges judged, and their results.
pub(super) struct FactsOfAnswers {
    /// The share of an answer's facts from which on a passage holds it.
    pub(super) share: f64,
    /// The measures in which an answer gains the share of its facts that its passage supports.
    pub(super) weighed: Vec<String>,
    pub(super) tally: FactsTally,
}

#[derive(Serialize)]
struct Output<'a> {
    judges: &'a [JudgeOfAnswers],
    #[serde(skip_serializing_if = "Option::is_none")]
    agreement: Option<&'a Agreement>,
    #[serde(skip_serializing_if = "Option::is_none")]
    people: Option<&'a AnnotatorAgreement>,
    #[serde(skip_serializing_if = "Option::is_none")]
    synthetic: Option<&'a MadeQueries>,
    rubric: Option<&'a RubricOfAnswers>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nugget_share: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    facts: Option<&'a FactsTally>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weighed_by_facts: Option<&'a [String]>,
    topics: usize,
    contexts_judged: usize,
    expecting_nothing: &'a [String],
    systems: Vec<MeasuredSystem>,
    answers: &'a [SystemAnswers],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comparisons: Vec<&'a TestedComparison>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    gates: &'a [GateResult],
    #[serde(skip_serializing_if = "Option::is_none")]
    per_query: Option<&'a [Scores]>,
}

pub(super) fn print(context: &Context, args: &EvaluateArgs, evaluated: &Evaluated) -> Result<()> {
    let weighed = evaluated.facts.as_ref().map(|facts| facts.weighed.join(", ")).unwrap_or_default();
    if !weighed.is_empty() {
        let gains = "an answer that is found gains the share of its facts that its passage supports";
        context.printer.note(format!("{weighed}: {gains}"));
    }
    match context.format(args.format) {
        Format::Json => print_json(context, args, evaluated),
        rows @ (Format::Jsonl | Format::Csv) => print_rows(context, args, evaluated, rows),
        tables => print_tables(context, args, evaluated, tables),
    }
}

fn print_rows(context: &Context, args: &EvaluateArgs, evaluated: &Evaluated, format: Format) -> Result<()> {
    let of_system = |scores| measure::SystemRows::of_scores(scores, &evaluated.named, false);
    let mut systems: Vec<_> = evaluated.scores.iter().map(of_system).collect();
    let measured: Vec<&str> = evaluated.evaluation.qrels.iter().map(|(query, _)| query).collect();
    let count = |made: &MadeQueries, query: Option<&str>| match query {
        Some(query) => usize::from(made.holds(query)),
        None => measured.iter().filter(|query| made.holds(query)).count(),
    };
    let synthetic = evaluated.made.as_ref().map(|made| move |query: Option<&str>| count(made, query));
    let synthetic = synthetic.as_ref().map(|count| count as measure::SyntheticCount<'_>);
    measure::write_rows_of(context, &args.measures, args.per_query, format, (&mut systems, synthetic))
}

fn print_json(context: &Context, args: &EvaluateArgs, evaluated: &Evaluated) -> Result<()> {
    let output = Output {
        judges: &evaluated.judges,
        agreement: evaluated.agreement.as_ref(),
        people: evaluated.people.as_ref(),
        synthetic: evaluated.made.as_ref(),
        rubric: evaluated.rubric.as_ref(),
        nugget_share: evaluated.facts.as_ref().map(|facts| facts.share),
        facts: evaluated.facts.as_ref().map(|facts| &facts.tally),
        weighed_by_facts: evaluated.facts.as_ref().map(|facts| facts.weighed.as_slice()),
        topics: evaluated.evaluation.qrels.len(),
        contexts_judged: evaluated.evaluation.judged,
        expecting_nothing: &evaluated.evaluation.expecting_nothing,
        systems: timed(figures(&evaluated.scores, &evaluated.bootstrap)?, &evaluated.retrieval),
        answers: &evaluated.evaluation.systems,
        comparisons: evaluated.tables.iter().flat_map(|table| &table.comparisons).collect(),
        gates: &evaluated.gates,
        per_query: args.per_query.then_some(&evaluated.scores),
    };
    Ok(context.printer.json(&output)?)
}

fn print_tables(context: &Context, args: &EvaluateArgs, evaluated: &Evaluated, format: Format) -> Result<()> {
    let mut parts = Vec::new();
    if args.per_query {
        parts.push(table(format, &answers_table(&evaluated.evaluation.systems)));
    }
    if let Some(made) = &evaluated.made {
        parts.push(table(format, &made_row(made)));
    }
    let systems = figures(&evaluated.scores, &evaluated.bootstrap)?;
    parts.push(table(format, &Measurement::table(&systems, evaluated.bootstrap.confidence)));
    if let Some(people) = evaluated.people.as_ref().filter(|people| !people.judges.is_empty()) {
        parts.push(table(format, &agreement_table(people, evaluated.bootstrap.confidence)));
    }
    if evaluated.tables.is_empty() {
        parts.extend(evaluated.gates.iter().map(|gate| gate.sentence.clone()));
    } else {
        let view = ComparisonView::new(&evaluated.tables, &evaluated.gates);
        parts.push(match format {
            Format::Markdown => Markdown::default().to_text(&view)?,
            _ => Terminal.to_text(&view)?,
        });
    }
    let parts: Vec<&str> = parts.iter().map(|part| part.trim_end()).collect();
    context.printer.result(parts.join("\n\n"))?;
    Ok(())
}

/// How many questions were made by models, and by which.
fn made_row(made: &MadeQueries) -> Table {
    let names = |models: Vec<&str>| if models.is_empty() { ABSENT.to_owned() } else { models.join(", ") };
    let columns = ["synthetic questions".into(), "of".into(), words("written by"), words("checked by")];
    let row = vec![
        count(made.synthetic),
        count(made.queries),
        names(made.written_by.keys().map(String::as_str).collect()),
        names(made.checked_by.keys().map(String::as_str).collect()),
    ];
    Table::new(columns, [row])
}

/// One row for each system, query and expected answer.
fn answers_table(systems: &[SystemAnswers]) -> Table {
    const WIDEST: usize = 40;
    let columns = [
        words("query"),
        words("system"),
        "rank".into(),
        words("expected"),
        words("document"),
        words("because"),
        words("passage"),
    ];
    let queries = systems.first().map_or(0, |system| system.queries.len());
    let mut rows = Vec::new();
    for (at, system) in (0..queries).flat_map(|at| systems.iter().map(move |system| (at, system))) {
        let Some(query) = system.queries.get(at) else { continue };
        let row = |rank: String, cells: [&str; 4]| {
            let names = [query.query.clone(), system.system.clone(), rank];
            names.into_iter().chain(cells.map(|cell| shorten(cell, WIDEST))).collect::<Vec<_>>()
        };
        rows.extend(query.found.iter().map(|found| {
            row(found.rank.to_string(), [&found.expected, &found.document, &found.because, &found.passage])
        }));
        let why = if query.answered { "no passage counts for it" } else { "the query has no results" };
        rows.extend(query.never_found.iter().map(|expected| row(ABSENT.to_owned(), [expected, "", why, ""])));
    }
    Table::new(columns, rows)
}
