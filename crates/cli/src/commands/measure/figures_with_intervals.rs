//! Prints means with intervals and their evidence.
//!
//! They are a table or JSON.

use anyhow::Result;
use llull::core::Topics;
use llull::metrics::Scores;
use llull::report::text::{ABSENT, Table, TableColumn, counted, figure, shorten, words};
use llull::report::{Measurement, conventions};

use super::corrected_figures::{correct, print_corrected};
use super::measured::Measured;
use crate::args::{Format, MeasureArgs};
use crate::commands::{Context, print_slices, table};

pub(super) fn print_json(context: &Context, args: &MeasureArgs, measured: &Measured) -> Result<()> {
    let mut output = measurement(args, measured)?;
    output.per_query = args.per_query.then_some(&measured.scores);
    Ok(context.printer.json(&output)?)
}

/// Prints the figures for people, in one of the two formats for them.
pub(super) fn print_table(
    context: &Context,
    args: &MeasureArgs,
    measured: &Measured,
    format: Format,
) -> Result<()> {
    let Measurement { systems, conventions, .. } = measurement(args, measured)?;
    if args.per_query {
        let queries = per_query(&measured.scores, args.answered_only, measured.topics.as_ref());
        context.printer.result(table(format, &queries))?;
        context.printer.result("")?;
    }
    context.printer.result(table(format, &Measurement::table(&systems, measured.options.confidence)))?;
    print_corrected(context, &systems, measured.options.confidence, format)?;
    context.printer.notes(conventions);
    print_slices(context, format, &measured.slices)
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

/// The figures of all systems over the queries that count, with their conventions.
fn measurement<'a>(args: &MeasureArgs, measured: &'a Measured) -> Result<Measurement<'a>> {
    let Measured { scores, options, .. } = measured;
    let mut found = Measurement::new(scores, args.answered_only, options)?;
    found.conventions =
        conventions(scores, options.confidence, args.answered_only, best_order_note(measured));
    found.queries = measured.selection.as_ref();
    found.slices = &measured.slices;
    if !args.answered_only {
        for system in &mut found.systems {
            let best = measured.best_order.get(&system.system).into_iter().flatten();
            system.figures.iter_mut().zip(best).for_each(|(figure, best)| figure.best_order = *best);
        }
        correct(&mut found.systems, measured);
    }
    Ok(found)
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
    Table::new(headings, rows)
}
