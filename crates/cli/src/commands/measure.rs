//! `llull measure`

mod figures;
mod forms;
mod rows;

use std::path::{Path, PathBuf};

use anyhow::Result;
use llull::core::{Seed, Topics};
use llull::data::{read_zscores, shown_path};
use llull::metrics::{
    DiversityMeasure, Measure, MeasureError, PreferenceMeasure, Relevant, Scores, TrecEvalMeasure,
    standardize, trec_eval_measures,
};
use llull::plain::{measure_systems, read_labels_for};
use llull::report::text::count;
use llull::stats::BootstrapOptions;

use self::rows::SystemRows;
use super::Context;
use crate::args::{LabelsForm, MeasureArgs, MeasureFormat};
use crate::exit::{Exit, Usage, refuse};

/// What is measured when nothing is said.
const DEFAULT: &str = "nDCG@10";

/// Nicknames under which trec_eval prints the run's name, too.
const NICKNAMES: [&str; 5] = ["official", "all_trec", "qrels_jg", "prefs", "all_prefs"];

pub(crate) fn run(context: &Context, args: &MeasureArgs) -> Result<Exit> {
    let Some(qrels) = &args.qrels else { return study(context, args) };
    if args.runs.is_empty() {
        refuse!(
            "no run to measure under {}; name at least one: llull measure {0} RUN... -m nDCG@10",
            qrels.display()
        );
    }
    super::one_standard_input(std::iter::once(qrels).chain(&args.runs).chain(&args.zscores))?;
    super::each_run_once(&args.runs)?;
    match args.labels {
        LabelsForm::Qrels => plain(context, args, qrels)?,
        _ if args.zscores.is_some() => {
            refuse!("--zscores goes with -R qrels alone: means and deviations are of its measures")
        }
        LabelsForm::QrelsJg => forms::judges(context, args, qrels)?,
        LabelsForm::Prefs | LabelsForm::QrelsPrefs => forms::preferences(context, args, qrels)?,
        LabelsForm::Subtopics => forms::subtopics(context, args, qrels)?,
    }
    Ok(Exit::Fine)
}

/// What was measured, and how it is to be shown.
struct Measured {
    named: Vec<TrecEvalMeasure>,
    scores: Vec<Scores>,
    options: BootstrapOptions,
    /// The queries' texts, where a study has them.
    topics: Option<Topics>,
}

fn plain(context: &Context, args: &MeasureArgs, qrels: &Path) -> Result<()> {
    let named = named(args)?;
    let measures = measures(&named);
    let labels = read_labels_for(qrels, &measures)?;
    let systems = measure_systems(&labels.value, &args.runs, &measures, depth(args))?;
    for note in labels.notes.iter().chain(&systems.notes) {
        context.printer.warn(note);
    }
    let measured =
        Measured { named, scores: systems.value, options: BootstrapOptions::new(Seed(42)), topics: None };
    match &args.zscores {
        None => show(context, args, &measured),
        Some(file) => z_scores(context, args, &measured, file),
    }
}

fn study(context: &Context, args: &MeasureArgs) -> Result<Exit> {
    let asked = if args.measures.is_empty() && args.format != Some(MeasureFormat::Trec) {
        Vec::new()
    } else {
        named(args)?.iter().map(|named| named.measure.to_string()).collect()
    };
    let study = context.study(llull::config::Overrides { measures: asked, ..Default::default() })?;
    let known = super::judge::what_is_known(context, &study)?;
    let scores = study.measure(&known.prepared, &known.judged);
    let measures = scores.first().map_or(&[][..], |scores| &scores.measures);
    let name = |measure: &Measure| {
        measure.trec_eval_name(Relevant::default()).unwrap_or_else(|| measure.to_string())
    };
    let named = measures.iter().map(|measure| TrecEvalMeasure { name: name(measure), measure: *measure });
    let exit = super::judge::exit_of(&known.judged);
    let measured = Measured {
        named: named.collect(),
        options: study.bootstrap(),
        topics: Some(known.prepared.topics),
        scores,
    };
    show(context, args, &measured)?;
    Ok(exit)
}

/// The measures that were asked for, or the usual one.
pub(crate) fn parse(names: &[String]) -> Result<Vec<Measure>> {
    if names.is_empty() {
        return Ok(vec![DEFAULT.parse()?]);
    }
    let mut measures: Vec<Measure> = Vec::new();
    for measure in parse_each(names)? {
        if !measures.contains(&measure) {
            measures.push(measure);
        }
    }
    Ok(measures)
}

/// Measures as they were typed, name by name.
pub(crate) fn parse_each(names: &[String]) -> Result<Vec<Measure>> {
    names.iter().map(|name| Ok(name.parse().map_err(|error| no_measure(name, &error))?)).collect()
}

/// The same with trec_eval's names and groups, at the relevance level that was asked for; each once.
fn named(args: &MeasureArgs) -> Result<Vec<TrecEvalMeasure>> {
    let usual = match (args.format, args.labels) {
        (_, LabelsForm::QrelsJg) => "qrels_jg",
        (Some(MeasureFormat::Trec), _) => "official",
        _ => DEFAULT,
    };
    let asked = args.measures.iter().map(String::as_str);
    let asked: Vec<&str> = if args.measures.is_empty() { vec![usual] } else { asked.collect() };
    let by_name = args.format == Some(MeasureFormat::Trec);
    let mut named: Vec<TrecEvalMeasure> = Vec::new();
    for written in asked {
        for TrecEvalMeasure { name, measure } in
            trec_eval_measures(written).map_err(|error| no_measure(written, &error))?
        {
            let measure = args.level.map_or(measure, |level| measure.at_level(level));
            if !named.iter().any(|known| known.measure == measure && (!by_name || known.name == name)) {
                named.push(TrecEvalMeasure { name, measure });
            }
        }
    }
    Ok(named)
}

/// What was typed is no measure, or one that needs other labels.
pub(crate) fn no_measure(written: &str, error: &MeasureError) -> Usage {
    if matches!(written, "prefs" | "all_prefs") || written.parse::<PreferenceMeasure>().is_ok() {
        Usage(format!(
            "{written} is measured under preferences, which llull measure reads with -R prefs or -R qrels_prefs"
        ))
    } else if written.parse::<DiversityMeasure>().is_ok() {
        Usage(format!(
            "{written} needs labels of subtopics (topic, subtopic, document, grade), which llull measure reads with -R subtopics"
        ))
    } else if matches!(error, MeasureError::Unknown { .. }) && trec_eval_measures(written).is_ok() {
        Usage(format!(
            "{written} stands for several measures, which llull measure alone takes; name one of them"
        ))
    } else if written.contains(',') && written.split(',').all(|one| one.parse::<Measure>().is_ok()) {
        Usage(format!("{written:?} is several measures: repeat -m for each"))
    } else {
        Usage(error.to_string())
    }
}

/// The measures without trec_eval's names.
fn measures(named: &[TrecEvalMeasure]) -> Vec<Measure> {
    named.iter().map(|named| named.measure).collect()
}

fn depth(args: &MeasureArgs) -> Option<usize> {
    args.depth.map(|depth| depth as usize)
}

fn format(context: &Context, args: &MeasureArgs) -> MeasureFormat {
    let usual = if context.global.json { MeasureFormat::Json } else { MeasureFormat::Table };
    args.format.unwrap_or(usual)
}

fn show(context: &Context, args: &MeasureArgs, measured: &Measured) -> Result<()> {
    for scores in &measured.scores {
        warn_of_unlabelled(context, &scores.run, &scores.unlabelled);
    }
    match format(context, args) {
        MeasureFormat::Table => figures::print_table(context, args, measured),
        MeasureFormat::Json => figures::print_json(context, args, measured),
        format => {
            let rows = |scores| SystemRows::of_scores(scores, &measured.named, args.answered_only);
            let mut systems: Vec<SystemRows<'_>> = measured.scores.iter().map(rows).collect();
            write_rows(context, args, format, &mut systems)
        }
    }
}

fn z_scores(context: &Context, args: &MeasureArgs, measured: &Measured, file: &Path) -> Result<()> {
    let read = read_zscores(file)?;
    if read.notes.constant > 0 {
        context.printer.warn(format!(
            "{}: {} a standard deviation of 0, in which another figure has no z-score",
            shown_path(file),
            match read.notes.constant {
                1 => "1 line has".to_owned(),
                n => format!("{} lines have", count(n)),
            }
        ));
    }
    for scores in &measured.scores {
        warn_of_unlabelled(context, &scores.run, &scores.unlabelled);
    }
    let level = args.level.unwrap_or_default();
    let scores: Vec<_> =
        measured.scores.iter().map(|scores| standardize(scores, level, &read.standardization)).collect();
    let rows = |scores| SystemRows::of_z_scores(scores, &measured.named, args.answered_only);
    let mut systems: Vec<SystemRows<'_>> = scores.iter().map(rows).collect();
    warn_of_unknown(context, file, &systems);
    let note = "Z: (figure - mean) / standard deviation of the query; a query that the file does not know is left out.";
    let conventions = forms::own_conventions(&measures(&measured.named)).chain([note.to_owned()]).collect();
    forms::show(context, args, &mut systems, conventions)
}

/// A measure that the file has for no topic.
fn warn_of_unknown(context: &Context, file: &Path, systems: &[SystemRows<'_>]) {
    let Some(system) = systems.first() else { return };
    for (column, overall) in system.columns.iter().zip(&system.overall) {
        if overall.value.is_none() && !column.of_run {
            context.printer.warn(format!("{}: no mean and deviation for {}", shown_path(file), column.name));
        }
    }
}

/// The forms that have a row a figure.
fn write_rows(
    context: &Context,
    args: &MeasureArgs,
    format: MeasureFormat,
    systems: &mut [SystemRows<'_>],
) -> Result<()> {
    let nicknamed =
        args.measures.is_empty() || args.measures.iter().any(|name| NICKNAMES.contains(&name.as_str()));
    let with_runid = nicknamed || systems.len() > 1;
    if format == MeasureFormat::Trec {
        // trec_eval's order: by the bytes of the query, whatever that in the files is
        for system in systems.iter_mut() {
            system.topics.sort_by(|a, b| a.topic.cmp(b.topic));
        }
    }
    context.printer.stream(|out| match format {
        MeasureFormat::Csv => rows::csv(systems, args.per_query, out),
        MeasureFormat::Trec => rows::trec(systems, args.per_query, with_runid, out),
        _ => rows::jsonl(systems, args.per_query, out),
    })?;
    Ok(())
}

/// Queries that have no label cannot be measured.
pub(super) fn warn_of_unlabelled(context: &Context, run: &str, unlabelled: &[String]) {
    let Some(first) = unlabelled.first() else { return };
    context.printer.warn(format!(
        "{run}: {} no label, so nothing can be measured there (the first: {first})",
        match unlabelled.len() {
            1 => "1 of its queries has".to_owned(),
            n => format!("{} of its queries have", count(n)),
        },
    ));
}

/// Names as the files' have them.
fn names_of(paths: &[PathBuf]) -> Vec<String> {
    llull::plain::system_names(paths)
}
