//! `llull measure`

mod figures;
mod rows;

use anyhow::{Result, bail};
use llull::core::{Seed, Topics};
use llull::metrics::{Aggregation, Measure, Scores};
use llull::plain::{measure_systems, read_labels_for};
use llull::stats::BootstrapOptions;

use self::rows::{Column, SystemRows};
use super::Context;
use crate::args::{MeasureArgs, MeasureFormat};
use crate::exit::Exit;
use crate::table::count;

/// What is measured when nothing is said.
const DEFAULT: &str = "nDCG@10";

pub(crate) fn run(context: &Context, args: &MeasureArgs) -> Result<Exit> {
    let measured = match (&args.qrels, args.runs.as_slice()) {
        (None, _) => study(context, args)?,
        (Some(qrels), []) => bail!(
            "no run to measure under {}; name at least one: llull measure {0} RUN... -m nDCG@10",
            qrels.display()
        ),
        (Some(qrels), runs) => {
            super::one_standard_input(std::iter::once(qrels).chain(runs))?;
            let measures = parse(&args.measures)?;
            let labels = read_labels_for(qrels, &measures)?;
            let measured = measure_systems(&labels.value, runs, &measures)?;
            for note in labels.notes.iter().chain(&measured.notes) {
                context.printer.warn(note);
            }
            Measured {
                scores: measured.value,
                options: BootstrapOptions::new(Seed(42)),
                topics: None,
                exit: Exit::Fine,
            }
        }
    };
    show(context, args, &measured)?;
    Ok(measured.exit)
}

/// What was measured, and how it is to be shown.
struct Measured {
    scores: Vec<Scores>,
    options: BootstrapOptions,
    /// The topics' texts, where a study has them.
    topics: Option<Topics>,
    exit: Exit,
}

fn study(context: &Context, args: &MeasureArgs) -> Result<Measured> {
    let said = llull::config::Overrides { measures: args.measures.clone(), ..Default::default() };
    let study = context.study(said)?;
    let known = super::judge::what_is_known(context, &study)?;
    Ok(Measured {
        scores: study.measure(&known.prepared, &known.judged),
        options: study.bootstrap(),
        exit: super::judge::exit_of(&known.judged),
        topics: Some(known.prepared.topics),
    })
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

fn show(context: &Context, args: &MeasureArgs, measured: &Measured) -> Result<()> {
    warn_of_unlabelled(context, &measured.scores);
    let usual = if context.global.json { MeasureFormat::Json } else { MeasureFormat::Table };
    let write = match args.format.unwrap_or(usual) {
        MeasureFormat::Table => return figures::print_table(context, args, measured),
        MeasureFormat::Json => return figures::print_json(context, args, measured),
        MeasureFormat::Jsonl => rows::jsonl,
        MeasureFormat::Csv => rows::csv,
        MeasureFormat::Trec => rows::trec,
    };
    let systems: Vec<SystemRows<'_>> =
        measured.scores.iter().map(|scores| rows_of(scores, args.answered_only)).collect();
    context.printer.stream(|out| write(&systems, args.per_query, out))?;
    Ok(())
}

fn warn_of_unlabelled(context: &Context, scores: &[Scores]) {
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
}

fn rows_of(scores: &Scores, answered_only: bool) -> SystemRows<'_> {
    let columns = scores.measures.iter().map(|measure| Column {
        name: measure.to_string(),
        trec_eval: None,
        counts: measure.aggregation() == Aggregation::Sum,
        of_run: matches!(measure, Measure::NumQ),
    });
    let topics = scores.topics.iter().filter(|topic| topic.answered || !answered_only);
    let mean = |measure| {
        if answered_only { scores.mean_of_answered(measure) } else { scores.mean(measure) }
    };
    SystemRows {
        run: &scores.run,
        columns: columns.collect(),
        topics: topics
            .map(|topic| (topic.topic.as_str(), topic.cells.iter().map(|cell| Some(cell.value)).collect()))
            .collect(),
        overall: (0..scores.measures.len()).map(mean).collect(),
    }
}
