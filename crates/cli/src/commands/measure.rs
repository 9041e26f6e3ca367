//! `llull measure`

use anyhow::{Result, bail};
use llull::core::{Seed, Topics};
use llull::metrics::{Measure, Scores, evaluate_all};
use llull::plain::{read_labels, read_systems};
use llull::report::{SystemFigures, figures};
use llull::stats::BootstrapOptions;
use serde::Serialize;

use super::Context;
use crate::args::MeasureArgs;
use crate::exit::Exit;
use crate::table::{count, table, value};

/// What is measured when nothing is said.
const DEFAULT: &str = "nDCG@10";

pub(crate) fn run(context: &Context, args: &MeasureArgs) -> Result<Exit> {
    let measures = parse(&args.measures)?;
    let (scores, exit) = match (&args.qrels, args.runs.as_slice()) {
        (None, _) => return study(context, args),
        (Some(qrels), []) => bail!(
            "no run to measure under {}; name at least one: llull measure {0} RUN... -m nDCG@10",
            qrels.display()
        ),
        (Some(qrels), runs) => {
            super::one_standard_input(std::iter::once(qrels).chain(runs))?;
            let labels = read_labels(qrels)?;
            let systems = read_systems(runs, &measures)?;
            for note in labels.notes.iter().chain(&systems.notes) {
                context.printer.warn(note);
            }
            (evaluate_all(&measures, &labels.value, &systems.value), Exit::Fine)
        }
    };
    show(context, &scores, args.per_query, &BootstrapOptions::new(Seed(42)), None)?;
    Ok(exit)
}

fn study(context: &Context, args: &MeasureArgs) -> Result<Exit> {
    let said = llull::config::Overrides { measures: args.measures.clone(), ..Default::default() };
    let study = context.study(said)?;
    let known = super::judge::what_is_known(context, &study)?;
    let scores = study.measure(&known.prepared, &known.judged);
    show(context, &scores, args.per_query, &study.bootstrap(), Some(&known.prepared.topics))?;
    Ok(super::judge::exit_of(&known.judged))
}

/// The measures that were asked for, or the usual one.
pub(crate) fn parse(names: &[String]) -> Result<Vec<Measure>> {
    if names.is_empty() {
        return Ok(vec![DEFAULT.parse()?]);
    }
    let mut measures: Vec<Measure> = Vec::new();
    for name in names {
        let measure = name.parse()?;
        if !measures.contains(&measure) {
            measures.push(measure);
        }
    }
    Ok(measures)
}

#[derive(Serialize)]
struct Output<'a> {
    topics: usize,
    systems: Vec<SystemFigures>,
    #[serde(skip_serializing_if = "Option::is_none")]
    per_query: Option<&'a [Scores]>,
}

fn show(
    context: &Context,
    scores: &[Scores],
    per_query: bool,
    options: &BootstrapOptions,
    topics: Option<&Topics>,
) -> Result<()> {
    let systems = figures(scores, options)?;
    for scores in scores.iter().filter(|scores| !scores.unlabelled.is_empty()) {
        context.printer.warn(format!(
            "{}: {} no label, so nothing can be measured there (the first: {})",
            scores.run,
            match scores.unlabelled.len() {
                1 => "1 of its queries has".to_owned(),
                n => format!("{} of its queries have", count(n as u64)),
            },
            scores.unlabelled.first().map_or("", String::as_str)
        ));
    }
    if context.global.json {
        let output = Output {
            topics: scores.first().map_or(0, |scores| scores.topics.len()),
            systems,
            per_query: per_query.then_some(scores),
        };
        context.printer.result(serde_json::to_string_pretty(&output)?)?;
        return Ok(());
    }
    if per_query {
        context.printer.result(per_query_table(scores, topics))?;
        context.printer.result("")?;
    }
    context.printer.result(figures_table(&systems, options.confidence))?;
    Ok(())
}

/// One row a system and measure: mean, interval, and what they rest on.
fn figures_table(systems: &[SystemFigures], confidence: f64) -> String {
    let interval = format!("{:.0}% interval", confidence * 100.0);
    let rows = systems.iter().flat_map(|system| {
        system.figures.iter().map(|figure| {
            let number = |number: Option<f64>| number.map_or_else(|| "-".to_owned(), value);
            vec![
                system.system.clone(),
                figure.measure.clone(),
                number(figure.mean),
                format!("[{}, {}]", number(figure.low), number(figure.high)),
                figure.n.to_string(),
                figure.missing_topics.to_string(),
                format!("{} of {}", count(figure.unjudged), count(figure.seen)),
            ]
        })
    });
    table(&["system", "measure", "mean", &interval, "queries", "missing", "unjudged"], rows)
}

fn per_query_table(scores: &[Scores], topics: Option<&Topics>) -> String {
    let mut headings = vec!["query"];
    let names: Vec<String> = scores
        .iter()
        .flat_map(|scores| scores.measures.iter().map(|measure| format!("{} {measure}", scores.run)))
        .collect();
    headings.extend(names.iter().map(String::as_str));
    if topics.is_some() {
        headings.push("text");
    }
    let count = scores.first().map_or(0, |scores| scores.topics.len());
    let rows = (0..count).map(|index| {
        let mut row =
            vec![scores.first().map_or_else(String::new, |scores| scores.topics[index].topic.clone())];
        for scores in scores {
            row.extend(scores.topics[index].cells.iter().map(|cell| value(cell.value)));
        }
        if let Some(topics) = topics {
            let text = topics.get(&row[0]).map(|topic| topic.text.as_str()).unwrap_or_default();
            row.push(llull::report::shorten(text, 60));
        }
        row
    });
    table(&headings, rows)
}
