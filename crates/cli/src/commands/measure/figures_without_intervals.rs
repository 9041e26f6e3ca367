//! Prints figures without intervals: other forms of labels, and z-scores.

use anyhow::Result;
use llull::report::text::{Table, count, figure, rounded_count, words};
use llull::report::topics_note;
use serde_json::{Map, Value, json};

use super::row_formats::write_rows;
use super::rows::{Column, Overall, SystemRows};
use super::sort::{reorder, sorted};
use crate::args::{Format, MeasureArgs};
use crate::commands::{Context, table};

/// Prints figures in the chosen format.
pub(super) fn show(
    context: &Context,
    args: &MeasureArgs,
    mut systems: Vec<SystemRows<'_>>,
    conventions: Vec<String>,
) -> Result<()> {
    if let Some(places) = sorted(args, &systems)? {
        systems = reorder(systems, &places);
    }
    let conventions = [conventions, vec![topics_note(args.answered_only).to_owned()]].concat();
    match context.format(args.format) {
        Format::Json => context.printer.json(&as_json(args, &systems, &conventions))?,
        format @ (Format::Table | Format::Markdown) => {
            if args.per_query {
                context.printer.result(table(format, &per_query(&systems)))?;
                context.printer.result("")?;
            }
            context.printer.result(table(format, &summary(&systems)))?;
            context.printer.notes(conventions);
        }
        format => write_rows(context, args, format, &mut systems)?,
    }
    Ok(())
}

fn as_json(args: &MeasureArgs, systems: &[SystemRows<'_>], conventions: &[String]) -> Value {
    let figures = |system: &SystemRows<'_>| {
        let rows = system.columns.iter().zip(&system.overall);
        let figure = |(column, overall): (&Column, &Overall)| {
            let mut figure = json!({
                "measure": column.name,
                "mean": overall.value,
                "n": overall.n,
                "missing_topics": system.missing,
            });
            if let Some((seen, unjudged)) = overall.unjudged {
                figure["seen"] = seen.into();
                figure["unjudged"] = unjudged.into();
            }
            if let Some(left_out) = overall.left_out {
                figure["left_out"] = left_out.into();
            }
            figure
        };
        rows.map(figure).collect::<Vec<_>>()
    };
    let all = systems.iter().map(|system| json!({"system": system.run, "figures": figures(system)}));
    let mut output = json!({"conventions": conventions, "systems": all.collect::<Vec<_>>()});
    if args.per_query {
        let topics = systems.iter().flat_map(|system| {
            system.topics.iter().map(move |topic| {
                let values = system.columns.iter().zip(&topic.values);
                let values: Map<String, Value> =
                    values.map(|(column, value)| (column.name.clone(), json!(value))).collect();
                json!({"system": system.run, "topic": topic.topic, "judges": topic.judges, "values": values})
            })
        });
        output["per_query"] = topics.collect();
    }
    output
}

/// A figure of a measure, or a whole number if the measure counts.
fn number(number: Option<f64>, counts: bool) -> String {
    match number {
        Some(number) if counts => rounded_count(number),
        number => figure(number),
    }
}

fn summary(systems: &[SystemRows<'_>]) -> Table {
    let overall = || systems.iter().flat_map(|system| &system.overall);
    let judged = overall().any(|overall| overall.unjudged.is_some());
    let standardized = overall().any(|overall| overall.left_out.is_some());
    let mut headings = vec!["system", "measure", "mean", "queries", "missing"];
    headings.extend(judged.then_some("unjudged"));
    headings.extend(standardized.then_some("left out"));
    let rows = systems.iter().flat_map(|system| {
        system.columns.iter().zip(&system.overall).map(|(column, overall)| {
            let mut row = vec![
                system.run.to_owned(),
                column.name.clone(),
                number(overall.value, column.counts),
                count(overall.n),
                count(system.missing),
            ];
            row.extend(
                overall.unjudged.map(|(seen, unjudged)| format!("{} of {}", count(unjudged), count(seen))),
            );
            row.extend(overall.left_out.map(count));
            row
        })
    });
    Table::new(headings, rows)
}

fn per_query(systems: &[SystemRows<'_>]) -> Table {
    let names: Vec<String> = systems
        .first()
        .map_or(Vec::new(), |system| system.columns.iter().map(|column| column.name.clone()).collect());
    let judged = systems.iter().flat_map(|system| &system.topics).any(|topic| topic.judges.is_some());
    let mut headings = vec!["system", "query"];
    headings.extend(judged.then_some("judges"));
    headings.extend(names.iter().map(String::as_str));
    let rows = systems.iter().flat_map(|system| {
        system.topics.iter().map(move |topic| {
            let mut row = vec![system.run.to_owned(), topic.topic.to_owned()];
            row.extend(topic.judges.filter(|_| judged).map(count));
            let cells = system.columns.iter().zip(&topic.values);
            row.extend(cells.map(|(column, value)| number(*value, column.counts)));
            row
        })
    });
    // The second column holds identifiers of queries, which somebody else chose.
    let column = |(at, heading): (usize, &str)| if at == 1 { words(heading) } else { heading.into() };
    Table::new(headings.into_iter().enumerate().map(column), rows)
}
