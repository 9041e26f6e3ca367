//! Adds figures corrected by human labels to those of the judge.

use anyhow::Result;
use llull::report::text::{
    ABSENT, Table, TableColumn, confidence as in_percent, count, figure, figures, interval, percent,
};
use llull::report::{CorrectedFigure, Figure, MeasuredSystem};

use super::measured::Measured;
use crate::args::Format;
use crate::commands::{Context, table};

/// Adds the corrected figure to each figure, or the reason for its absence.
pub(super) fn correct(systems: &mut [MeasuredSystem], measured: &Measured) {
    for system in systems {
        let Some(corrections) = measured.corrected.get(&system.system) else { continue };
        for (figure, correction) in system.figures.iter_mut().zip(corrections) {
            match correction {
                Ok(corrected) => figure.correct(corrected.clone()),
                Err(reason) => figure.leave_uncorrected(reason),
            }
        }
    }
}

/// Prints the corrected figures, if there are any, and why the others are not corrected.
pub(super) fn print_corrected(
    context: &Context,
    systems: &[MeasuredSystem],
    confidence: f64,
    format: Format,
) -> Result<()> {
    let all =
        || systems.iter().flat_map(|system| system.figures.iter().map(|figure| (&system.system, figure)));
    let rows: Vec<Vec<String>> = all().filter_map(|(system, figure)| row(system, figure)).collect();
    if !rows.is_empty() {
        let heading = format!("{} interval", in_percent(confidence));
        let columns =
            ["system", "measure", "corrected", &heading, "human labels alone", &heading, "labels", "lambda"];
        let more = ["queries' share", "judge's share", "width", "+100 labels", "+100 queries"].map(figures);
        let columns = columns.map(TableColumn::from).into_iter().chain(more);
        context.printer.result("")?;
        context.printer.result(table(format, &Table::new(columns, rows)))?;
        context.printer.notes(legend(systems));
    }
    for (system, figure) in all() {
        let name = format!("{system}, {}", figure.measure);
        if let Some(reason) = &figure.ppi_refused {
            context.printer.warn(format!("{name}: not corrected: {reason}"));
        }
        for caution in figure.ppi.iter().flat_map(|corrected| &corrected.cautions) {
            context.printer.warn(format!("{name}: {caution}"));
        }
    }
    Ok(())
}

fn row(system: &str, measured: &Figure) -> Option<Vec<String>> {
    let corrected = measured.ppi.as_ref()?;
    let CorrectedFigure { width, human_only, .. } = corrected;
    Some(vec![
        system.to_owned(),
        measured.measure.clone(),
        figure(corrected.value),
        interval(Some(corrected.low), Some(corrected.high)),
        figure(human_only.value),
        interval(human_only.low, human_only.high),
        count(corrected.labels),
        corrected.lambda.map_or_else(|| ABSENT.to_owned(), |lambda| format!("{lambda:.2}")),
        percent(width.queries_share),
        percent(width.judge_share),
        figure(width.width),
        figure(width.with_100_more_labels),
        figure(width.with_100_more_queries),
    ])
}

/// Explains the corrected figures.
fn legend(systems: &[MeasuredSystem]) -> Vec<String> {
    let first = systems.iter().flat_map(|system| &system.figures).find_map(|figure| figure.ppi.as_ref());
    let Some(first) = first else { return Vec::new() };
    let of = match first.estimand.as_str() {
        "these_queries" => "the figure by complete human labels of these queries",
        _ => "the mean over queries like these",
    };
    let looks = if first.any_time { ", however often they are looked at" } else { "" };
    vec![
        format!(
            "Corrected: {of}, by the judge's labels and human labels of a random sample (drawn: {}). Its intervals \
             hold whatever the judge does{looks}; those above know nothing of the judge.",
            first.design
        ),
        "Shares are of the variance: more queries remove the one, more human labels the other. +100: about how \
         wide the interval would be with so many more human labels, or queries that the judge alone has labelled."
            .to_owned(),
    ]
}
