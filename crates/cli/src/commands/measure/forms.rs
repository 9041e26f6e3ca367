//! Labels of other forms than one grade a pair: several judges, preferences, subtopics.

use std::path::Path;

use anyhow::{Result, bail};
use llull::data::{QrelsNotes, read_prefs, read_qrels_jg, read_qrels_prefs, shown_path};
use llull::files::{depth_needed, read_system};
use llull::metrics::{
    DiversityMeasure, Measure, PreferenceMeasure, evaluate_diversity, evaluate_judges, evaluate_preferences,
};
use llull::report::text::{count, figure, rounded_count, text_table};
use serde_json::{Map, Value, json};

use super::arguments::{depth, format, names_of};
use super::names::{measures, named};
use super::rows::write_rows;
use super::rows::{Column, Overall, SystemRows};
use super::unlabelled::warn_of_unlabelled;
use crate::args::{LabelsForm, MeasureArgs, MeasureFormat};
use crate::commands::Context;
use crate::exit::{Usage, refuse};

/// `-R qrels_jg`
pub(super) fn judges(context: &Context, args: &MeasureArgs, qrels: &Path) -> Result<()> {
    let named = named(args)?;
    let measures = measures(&named);
    let file = read_qrels_jg(qrels)?;
    check_labels(context, qrels, &file.notes)?;
    let deepest = depth_needed(&measures).into_iter().chain(depth(args)).min();
    let mut all = Vec::new();
    for (path, name) in args.runs.iter().zip(names_of(&args.runs)) {
        let run = read_system(path, &name, deepest)?;
        run.notes.iter().for_each(|note| context.printer.warn(note));
        let scores = evaluate_judges(&measures, file.judges.values(), &run.value);
        warn_of_unlabelled(context, &scores.run, &scores.unlabelled);
        all.push(scores);
    }
    let level = args.level.unwrap_or_default();
    let rows = |scores| SystemRows::of_judges(scores, &named, level, args.answered_only);
    let mut systems: Vec<SystemRows<'_>> = all.iter().map(rows).collect();
    let note = format!(
        "{} judges; a query's figure is the mean over those who judged it, and documents count once a judge.",
        count(file.judges.len())
    );
    show(context, args, &mut systems, own_conventions(&measures).chain([note]).collect())
}

/// `-R prefs` and `-R qrels_prefs`
pub(super) fn preferences(context: &Context, args: &MeasureArgs, qrels: &Path) -> Result<()> {
    if args.level.is_some() {
        refuse!("--level is the lowest relevant grade, and preferences have none; leave it out");
    }
    let measures = preference_measures(&args.measures)?;
    let read = if args.labels == LabelsForm::Prefs { read_prefs } else { read_qrels_prefs };
    let file = read(qrels)?;
    check_labels(context, qrels, &file.notes)?;
    let mut all = Vec::new();
    for (path, name) in args.runs.iter().zip(names_of(&args.runs)) {
        // Where a document is not retrieved counts, so the run is read whole.
        let run = read_system(path, &name, depth(args))?;
        run.notes.iter().for_each(|note| context.printer.warn(note));
        let scores = evaluate_preferences(&measures, &file.preferences, &run.value)?;
        warn_of_unlabelled(context, &scores.run, &scores.unlabelled);
        all.push(scores);
    }
    let mut systems: Vec<SystemRows<'_>> =
        all.iter().map(|scores| SystemRows::of_preferences(scores, args.answered_only)).collect();
    let note = "Preferences: tied scores by ascending document id, as trec_eval has them there.";
    show(context, args, &mut systems, vec![note.to_owned()])
}

/// `-R subtopics`
pub(super) fn subtopics(context: &Context, args: &MeasureArgs, qrels: &Path) -> Result<()> {
    let usual = ["alpha_nDCG@20".to_owned()];
    let asked = if args.measures.is_empty() { &usual[..] } else { &args.measures };
    let mut measures: Vec<DiversityMeasure> = Vec::new();
    for name in asked {
        let measure = name.parse::<DiversityMeasure>().map_err(|error| Usage(error.to_string()))?;
        let measure = measure.at_level(args.level.unwrap_or_default());
        if !measures.contains(&measure) {
            measures.push(measure);
        }
    }
    let deepest = measures.iter().map(|measure| Some(measure.cutoff()?.rank() as usize));
    let deepest = deepest.collect::<Option<Vec<usize>>>().and_then(|ranks| ranks.into_iter().max());
    let file = read_qrels_jg(qrels)?;
    check_labels(context, qrels, &file.notes)?;
    let mut all = Vec::new();
    for (path, name) in args.runs.iter().zip(names_of(&args.runs)) {
        let run = read_system(path, &name, deepest.into_iter().chain(depth(args)).min())?;
        run.notes.iter().for_each(|note| context.printer.warn(note));
        let scores = evaluate_diversity(&measures, file.judges.values(), &run.value);
        warn_of_unlabelled(context, &scores.run, &scores.unlabelled);
        all.push(scores);
    }
    let mut systems: Vec<SystemRows<'_>> =
        all.iter().map(|scores| SystemRows::of_diversity(scores, args.answered_only)).collect();
    let note = "The ideal list is a greedy one, which can be beaten: alpha_nDCG may exceed 1.";
    show(context, args, &mut systems, vec![note.to_owned()])
}

fn preference_measures(names: &[String]) -> Result<Vec<PreferenceMeasure>> {
    if names.is_empty() {
        return Ok(PreferenceMeasure::MAIN.to_vec());
    }
    let mut measures: Vec<PreferenceMeasure> = Vec::new();
    for name in names {
        let found = match name.as_str() {
            "prefs" => PreferenceMeasure::MAIN.to_vec(),
            "all_prefs" => PreferenceMeasure::ALL.to_vec(),
            name => vec![name.parse::<PreferenceMeasure>().map_err(|error| Usage(error.to_string()))?],
        };
        for measure in found {
            if !measures.contains(&measure) {
                measures.push(measure);
            }
        }
    }
    Ok(measures)
}

/// A file without a label is none, and lines that repeat others are told.
fn check_labels(context: &Context, path: &Path, notes: &QrelsNotes) -> Result<()> {
    if notes.lines == 0 {
        bail!("{}: no label in it", shown_path(path));
    }
    if let Some(first) = &notes.first_repeat {
        let lines = match notes.repeats {
            1 => "1 line repeats".to_owned(),
            n => format!("{} lines repeat", count(n)),
        };
        context.printer.warn(format!(
            "{}: {lines} what another says (the first: line {}); nothing changes by it",
            shown_path(path),
            first.line
        ));
    }
    Ok(())
}

/// Figures without intervals.
pub(super) fn show(
    context: &Context,
    args: &MeasureArgs,
    systems: &mut [SystemRows<'_>],
    conventions: Vec<String>,
) -> Result<()> {
    let conventions = [conventions, vec![topics_note(args.answered_only).to_owned()]].concat();
    match format(context, args) {
        MeasureFormat::Json => {
            context.printer.result(serde_json::to_string_pretty(&as_json(args, systems, &conventions))?)?;
        }
        MeasureFormat::Table => {
            if args.per_query {
                context.printer.result(per_query(systems))?;
                context.printer.result("")?;
            }
            context.printer.result(summary(systems))?;
            conventions.iter().for_each(|line| context.printer.note(line));
        }
        format => write_rows(context, args, format, systems)?,
    }
    Ok(())
}

/// What becomes of a query without an answer.
pub(super) fn topics_note(answered_only: bool) -> &'static str {
    if answered_only {
        "A query that a run does not answer is left out of its figures (--answered-only)."
    } else {
        "A query that a run does not answer counts as an empty list: 0 by every measure of merit."
    }
}

/// What each measure takes for granted where tools differ.
pub(super) fn own_conventions(measures: &[Measure]) -> impl Iterator<Item = String> {
    measures.iter().filter_map(|measure| Some(format!("{measure}: {}.", measure.convention()?)))
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

fn summary(systems: &[SystemRows<'_>]) -> String {
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
    text_table(headings, rows)
}

fn per_query(systems: &[SystemRows<'_>]) -> String {
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
    text_table(headings, rows)
}
