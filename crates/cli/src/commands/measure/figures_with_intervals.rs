//! Prints means with intervals and their evidence.
//!
//! They are a table or JSON.

use anyhow::Result;
use llull::core::Topics;
use llull::metrics::Scores;
use llull::report::text::{
    ABSENT, TableColumn, confidence as in_percent, count, counted, figure, interval, shorten, words,
};
use llull::report::{MeasuredSystem, QuerySelection, SliceSection, figures, without_interval};
use serde::Serialize;

use super::conventions::{own_conventions, topics_note};
use super::corrected_figures::{correct, print_corrected};
use super::measured::Measured;
use crate::args::{Format, MeasureArgs};
use crate::commands::{Context, Table, print_slices, table};

/// The conventions of every figure on which tools differ.
const CONVENTIONS: &str = "Unless stated otherwise, ties in score are broken by document id, descending, and a \
    document without a label counts as not relevant.";

#[derive(Serialize)]
struct Output<'a> {
    topics: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    queries: Option<&'a QuerySelection>,
    conventions: Vec<String>,
    /// Whether queries that a run does not answer are left out, instead of counting as 0.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    answered_only: bool,
    systems: Vec<MeasuredSystem>,
    #[serde(skip_serializing_if = "<[SliceSection]>::is_empty")]
    slices: &'a [SliceSection],
    #[serde(skip_serializing_if = "Option::is_none")]
    per_query: Option<&'a [Scores]>,
}

pub(super) fn print_json(context: &Context, args: &MeasureArgs, measured: &Measured) -> Result<()> {
    let output = Output {
        topics: measured.scores.first().map_or(0, |scores| scores.topics.len()),
        queries: measured.selection.as_ref(),
        conventions: conventions(args, measured),
        answered_only: args.answered_only,
        systems: systems(args, measured)?,
        slices: &measured.slices,
        per_query: args.per_query.then_some(&measured.scores),
    };
    Ok(context.printer.json(&output)?)
}

/// Prints the figures for people, in one of the two formats for them.
pub(super) fn print_table(
    context: &Context,
    args: &MeasureArgs,
    measured: &Measured,
    format: Format,
) -> Result<()> {
    let systems = systems(args, measured)?;
    if args.per_query {
        let queries = per_query(&measured.scores, args.answered_only, measured.topics.as_ref());
        context.printer.result(table(format, queries))?;
        context.printer.result("")?;
    }
    context.printer.result(table(format, summary(&systems, measured.options.confidence)))?;
    print_corrected(context, &systems, measured.options.confidence, format)?;
    context.printer.notes(conventions(args, measured));
    print_slices(context, format, &measured.slices)
}

/// The conventions where tools differ: of each measure, of queries, of documents.
fn conventions(args: &MeasureArgs, measured: &Measured) -> Vec<String> {
    let measures = measured.scores.first().map_or(&[][..], |scores| &scores.measures);
    let topics = measured.scores.first().map_or(0, |scores| scores.topics.len());
    own_conventions(measures)
        .chain(without_interval(topics, measured.options.confidence))
        .chain(best_order_note(measured))
        .chain([topics_note(args.answered_only).to_owned(), CONVENTIONS.to_owned()])
        .collect()
}

/// What the figures in the best order are; `None` without any.
fn best_order_note(measured: &Measured) -> Option<String> {
    let results = match measured.best_order_depth {
        Some(depth) => format!("first {}", counted(depth, "result")),
        None => "results".to_owned(),
    };
    (!measured.best_order.is_empty()).then(|| {
        format!(
            "Best order: the mean if the {results} of each query stood in the best order. Documents without a label \
             count as in the mean, by default as not relevant, so it may be higher."
        )
    })
}

/// The figures of all systems, over the queries that count.
fn systems(args: &MeasureArgs, measured: &Measured) -> Result<Vec<MeasuredSystem>> {
    if !args.answered_only {
        let mut systems = figures(&measured.scores, &measured.options)?;
        for system in &mut systems {
            let best = measured.best_order.get(&system.system).into_iter().flatten();
            system.figures.iter_mut().zip(best).for_each(|(figure, best)| figure.best_order = *best);
        }
        correct(&mut systems, measured);
        return Ok(systems);
    }
    let mut answered = measured.scores.clone();
    for scores in &mut answered {
        scores.topics.retain(|topic| topic.answered);
    }
    let mut systems = figures(&answered, &measured.options)?;
    for (system, scores) in systems.iter_mut().zip(&measured.scores) {
        system.figures.iter_mut().for_each(|figure| figure.missing_topics = scores.missing());
    }
    Ok(systems)
}

/// One row for each system and measure: mean, interval and evidence.
pub(crate) fn summary(systems: &[MeasuredSystem], confidence: f64) -> Table {
    let of_confidence = format!("{} interval", in_percent(confidence));
    let has_best = systems.iter().flat_map(|system| &system.figures).any(|found| found.best_order.is_some());
    let rows = systems.iter().flat_map(|system| {
        system.figures.iter().map(|measured| {
            let best = has_best.then(|| figure(measured.best_order));
            let counts = [
                count(measured.n),
                count(measured.missing_topics),
                format!("{} of {}", count(measured.unjudged), count(measured.seen)),
            ];
            let figures = [figure(measured.mean), interval(measured.low, measured.high)];
            let names = [system.system.clone(), measured.measure.clone()];
            names.into_iter().chain(figures).chain(best).chain(counts).collect()
        })
    });
    let columns = ["system", "measure", "mean", &of_confidence].into_iter();
    let columns = columns.chain(has_best.then_some("best order")).chain(["queries", "missing", "unjudged"]);
    (columns.map(TableColumn::from).collect(), rows.collect())
}

/// One row for each query. A query that is left out for a run has no figure there.
fn per_query(scores: &[Scores], answered_only: bool, topics: Option<&Topics>) -> Table {
    let mut headings: Vec<TableColumn> = vec!["query".into()];
    let names: Vec<String> = scores
        .iter()
        .flat_map(|scores| scores.measures.iter().map(|measure| format!("{} {measure}", scores.run)))
        .collect();
    headings.extend(names.into_iter().map(TableColumn::from));
    if topics.is_some() {
        headings.push(words("text"));
    }
    let count = scores.first().map_or(0, |scores| scores.topics.len());
    let rows = (0..count).map(|index| {
        let mut row =
            vec![scores.first().map_or_else(String::new, |scores| scores.topics[index].topic.clone())];
        for topic in scores.iter().map(|scores| &scores.topics[index]) {
            let left_out = answered_only && !topic.answered;
            row.extend(
                topic.cells.iter().map(|cell| if left_out { ABSENT.to_owned() } else { figure(cell.value) }),
            );
        }
        if let Some(topics) = topics {
            let text = topics.get(&row[0]).map(|topic| topic.text.as_str()).unwrap_or_default();
            row.push(shorten(text, 60));
        }
        row
    });
    (headings, rows.collect())
}
