//! `llull evaluate`: measures retrievers by expected answers.

use anyhow::Result;
use llull::core::{Run, Topic, Topics};
use llull::data::{EvaluationDataset, ExpectedQuery, ReadDatasetOptions, read_dataset, shown_path};
use llull::expected_answers::{
    AnswerEvaluation, AnswerFacts, MadeQueries, dataset_remarks, read_system_results, weigh_by_facts,
};
use llull::files::{
    ComparisonLimits, MissingBounds, SystemsComparison, compare_systems, depth_needed, system_names,
};
use llull::metrics::{Measure, Scores, TrecEvalMeasure, evaluate_all};
use llull::report::text::{count, counted};
use llull::report::{CiResult, Family, SignificanceOptions, without_interval};
use llull::stats::{BootstrapOptions, Gate, GateSubject, PairTest};

use super::facts::facts;
use super::judged::{Agreement, JudgeOfAnswers, Judged, Retrieved, judge};
use super::named::named;
use super::render::{Evaluated, FactsOfAnswers, RubricOfAnswers, print};
use super::retrievers::retrieve;
use super::{annotators, report_files};
use crate::args::EvaluateArgs;
use crate::commands::{
    Context, check_ci_outputs, correction, each_run_once, measure, one_standard_input, read_gates,
    write_ci_outputs,
};
use crate::exit::{Exit, refuse};

/// The default measures.
const DEFAULT: [&str; 4] = ["Success@10", "R@10", "RR@10", "nDCG@10"];

pub(crate) fn run(context: &Context, args: &EvaluateArgs) -> Result<Exit> {
    let context = &context.at_hand();
    let judges = named(context, args)?;
    report_files::check(args)?;
    annotators::check(args)?;
    check_ci_outputs(context, &args.ci, Some(context.format(args.format)))?;
    let gates = read_gates(&args.gate)?;
    let of_difference = gates.iter().find(|gate| gate.subject() == GateSubject::Difference);
    if let (1, Some(gate)) = (args.results.len() + args.retrievers.len(), of_difference) {
        refuse!(
            "--gate '{gate}' is on the difference from another system: name one with --results, or write '{}'",
            gate.about(GateSubject::Value)
        );
    }
    let mut asked =
        if args.measures.is_empty() { DEFAULT.map(String::from).to_vec() } else { args.measures.clone() };
    asked.extend(gates.iter().map(|gate| gate.measure().to_owned()));
    let mut measures = measure::parse(&asked)?;
    let mut seen = Vec::new();
    measures.retain(|measure| {
        !seen.contains(measure) && {
            seen.push(*measure);
            true
        }
    });
    let bootstrap = context.intervals()?;
    one_standard_input(args.results.iter().chain([&args.dataset]))?;
    each_run_once(&args.results)?;
    let dataset = dataset(context, args)?;
    let topic = |query: &ExpectedQuery| Topic { id: query.id.clone(), text: query.text.clone() };
    let topics: Topics = dataset.queries.iter().map(topic).collect();
    let depth = depth_needed(&measures);
    let mut systems = Vec::new();
    for (path, name) in args.results.iter().zip(system_names(&args.results)) {
        let read = read_system_results(path, &name, &context.global.columns, &topics)?;
        context.printer.remarks(&read.notes);
        systems.push(read.value);
    }
    retrieve(context, args, (&dataset, &topics), depth, &mut systems)?;
    context.check_columns()?;
    let rubric = args.rubric.as_deref().map(llull::read_rubric).transpose()?;
    let Some(facts) = facts(context, args, &dataset, &systems)? else { return Ok(Exit::Incomplete) };
    let (reported, rubric) = (args.report.is_some(), rubric.as_ref());
    let retrieved =
        Retrieved { dataset: &dataset, systems: &systems, depth, reported, rubric, facts: &facts, bootstrap };
    let Some(judged) = judge(context, args, &judges, retrieved)? else { return Ok(Exit::Fine) };
    let Judged { evaluation, judges, agreement, complete, asked, people, unreliable_judges } = judged;
    if evaluation.qrels.is_empty() {
        refuse!(
            "{}: no query has expected_answers or expected_doc_ids, so there is nothing to find",
            args.dataset.display()
        );
    }
    let made = MadeQueries::of(&dataset);
    warn_of_made(context, made.as_ref(), &judges);
    context.printer.warnings(evaluation.warnings(made.as_ref()));
    if let Some(Agreement { contexts, unanimous }) = &agreement {
        let all = counted(*contexts, "context");
        context.printer.note(format!("the judges agree on {} of {all}", count(*unanimous)));
    }
    context.printer.notes(people.iter().flat_map(annotators::remarks));
    let mut scores = evaluate_all(&measures, &evaluation.qrels, &evaluation.runs);
    let facts = facts.tally.map(|tally| FactsOfAnswers {
        share: facts.facts.as_ref().map_or(AnswerFacts::SHARE, AnswerFacts::share),
        weighed: weigh_by_facts(&mut scores, &evaluation).iter().map(ToString::to_string).collect(),
        tally,
    });
    let limits =
        ComparisonLimits { missing: bounds(&evaluation, &measures), unreliable_judges, ..Default::default() };
    let SystemsComparison { tables, gates } = compared(&scores, &gates, &limits, bootstrap)?;
    context.printer.warnings(tables.first().into_iter().flat_map(|table| &table.notes));
    if let Some(note) = without_interval(evaluation.qrels.len(), bootstrap.confidence) {
        context.printer.note(note);
    }
    let named =
        measures.iter().map(|measure| TrecEvalMeasure { name: measure.to_string(), measure: *measure });
    let named = named.collect();
    let retrieval = systems.iter().map(|system| system.asked.figures()).collect();
    let rubric = rubric.map(RubricOfAnswers::of);
    let evaluated = Evaluated {
        judges,
        agreement,
        rubric,
        facts,
        evaluation,
        made,
        named,
        scores,
        tables,
        gates,
        bootstrap,
        retrieval,
        asked,
        depth,
        people,
    };
    print(context, args, &evaluated)?;
    report_files::write(context, args, &dataset, &evaluated)?;
    // Missing answers can still be had, so this is no comparison of plain files.
    let name = shown_path(&args.dataset);
    let ci = CiResult::of_comparison(Some(&name), &evaluated.tables, (&evaluated.gates, &[]), complete);
    write_ci_outputs(context, &args.ci, &ci)?;
    Ok(ci.state().into())
}

/// Reads the dataset, and prints notes about its cells.
fn dataset(context: &Context, args: &EvaluateArgs) -> Result<EvaluationDataset> {
    let options = ReadDatasetOptions {
        answers_separator: args.answers_separator.clone(),
        columns: context.global.columns.clone(),
    };
    let read = read_dataset(&args.dataset, &options)?;
    let (file, separator) = (shown_path(&args.dataset), args.answers_separator.as_deref());
    let (notes, warning) = dataset_remarks(&read.notes, &file, separator, "--answers-separator ,");
    context.printer.notes(notes);
    context.printer.warnings(warning);
    Ok(read.dataset)
}

/// Compares every pair of systems by every measure that compares them, and checks gates.
fn compared(
    scores: &[Scores],
    gates: &[Gate],
    limits: &ComparisonLimits,
    bootstrap: BootstrapOptions,
) -> Result<SystemsComparison> {
    let test = PairTest::default();
    let options = SignificanceOptions {
        test,
        correction: correction(test, None)?,
        significance: 0.05,
        draws: None,
        family: Family::AllPairs,
        margin: None,
        bootstrap,
    };
    let baseline = scores.first().map_or("", |scores| scores.run.as_str());
    Ok(compare_systems(scores, baseline, &options, gates, limits)?)
}

/// Bounds the possible effect of results that no judge has judged.
fn bounds(evaluation: &AnswerEvaluation, measures: &[Measure]) -> MissingBounds {
    let Some((baseline, others)) = evaluation.runs.split_first() else { return MissingBounds::default() };
    let others: Vec<&Run> = if others.is_empty() { vec![baseline] } else { others.iter().collect() };
    MissingBounds::of_labels(&evaluation.qrels, measures, baseline, &others)
}

/// Warns that questions were made by models, and of judges that are of their kind.
fn warn_of_made(context: &Context, made: Option<&MadeQueries>, judges: &[JudgeOfAnswers]) {
    let Some(made) = made else { return };
    context.printer.warn(format!("{made}: people may ask otherwise"));
    context.printer.warnings(made.warnings(judges.iter().map(|judge| judge.model.as_str())));
}
