//! `llull measure`: measures plain files, or the systems of a study.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use clap::ValueEnum as _;
use llull::config::Overrides;
use llull::core::{Qrels, Run, Topics};
use llull::data::{read_zscores, shown_path};
use llull::files::{
    Correction, LabelsFile, RunForm, measure_systems, read_labels_for, read_system, read_systems,
    system_names,
};
use llull::metrics::{Measure, Relevant, Scores, TrecEvalMeasure, best_order, evaluate_all, standardize};
use llull::report::text::counted;
use llull::report::{QuerySelection, SliceLabels, own_conventions, slice_sections};
use llull::stats::BootstrapOptions;

use super::measure_names::{measures, named, written};
use super::measured::Measured;
use super::row_formats::write_rows;
use super::rows::SystemRows;
use super::sort::{reorder, sorted};
use super::warnings::{warn_of_nothing_relevant, warn_of_unjudged, warn_of_unlabelled};
use super::{figures_with_intervals, figures_without_intervals, label_forms};
use crate::args::{Format, LabelReading, LabelsForm, MeasureArgs};
use crate::commands::{
    Context, HumanSample, check_identifiers, choose_in_files, each_run_once, judge, leave_out_unchosen,
    no_study_flag, no_topics_in_study, one_standard_input, refuse_in_study, sliced_queries, topics_of_files,
};
use crate::exit::{Exit, refuse};

pub(crate) fn run(context: &Context, args: &MeasureArgs) -> Result<Exit> {
    let Some(qrels) = &args.qrels else { return study(context, args) };
    if args.runs.is_empty() {
        refuse!(
            "no run to measure under {}; name at least one: llull measure {0} RUN... -m nDCG@10",
            qrels.display()
        );
    }
    no_study_flag(args.study.first())?;
    not_beside_human_labels(context, args)?;
    no_slices_here(context, args)?;
    no_choice_here(args)?;
    let human_labels = args.people.human.iter().chain(&args.people.sampled);
    one_standard_input(std::iter::once(qrels).chain(&args.runs).chain(&args.zscores).chain(human_labels))?;
    each_run_once(&args.runs)?;
    match args.labels {
        LabelsForm::Qrels => plain(context, args, qrels)?,
        _ if args.zscores.is_some() => {
            refuse!("--zscores needs -R qrels: means and deviations are those of its measures")
        }
        _ if args.labels != LabelsForm::Qrels && args.label_reading != LabelReading::default() => refuse!(
            "--round and --repeats are for -R qrels, labels with one grade for each pair; the files of -R {} are read \
             as they are: leave the flag out",
            args.labels.to_possible_value().map_or_else(String::new, |form| form.get_name().to_owned())
        ),
        LabelsForm::QrelsJg => label_forms::judges(context, args, qrels)?,
        LabelsForm::Prefs | LabelsForm::QrelsPrefs => label_forms::preferences(context, args, qrels)?,
        LabelsForm::Subtopics => label_forms::subtopics(context, args, qrels)?,
    }
    Ok(Exit::Fine)
}

/// Reads each run whole, and returns its figures in the best order of its own results.
fn best_order_of_files(
    args: &MeasureArgs,
    measures: &[Measure],
    labels: &Qrels,
    form: &RunForm,
) -> Result<BTreeMap<String, Vec<Option<f64>>>> {
    let mut figures = BTreeMap::new();
    if !args.best_order {
        return Ok(figures);
    }
    if let Some(pipe) = args.runs.iter().find(|path| !path.is_file()) {
        refuse!("--best-order reads runs twice, and {} can be read once: write it to a file", pipe.display());
    }
    for (path, name) in args.runs.iter().zip(system_names(&args.runs)) {
        // Its notes were printed with the figures.
        let run = read_system(path, &name, args.depth, form.clone())?.value;
        let run = run.without_dropped(labels);
        figures.insert(name, best_order(measures, labels, &run, None));
    }
    Ok(figures)
}

/// Refuses chosen queries beside labels of other forms, and beside human labels, whose probabilities are of all.
fn no_choice_here(args: &MeasureArgs) -> Result<()> {
    let other = [(args.labels != LabelsForm::Qrels, "-R"), (args.people.human.is_some(), "--human")];
    let wrong = other.iter().find(|(given, _)| *given && !args.queries.settings().is_all());
    if let Some((_, name)) = wrong {
        refuse!("--queries and --sample-queries choose among all queries of graded labels; leave out {name}");
    }
    Ok(())
}

/// The first option with which figures are no means over all queries under graded labels.
fn no_means(context: &Context, args: &MeasureArgs) -> Option<&'static str> {
    let formats = [Format::Table, Format::Markdown, Format::Json];
    let other = [
        (args.labels != LabelsForm::Qrels, "-R"),
        (args.zscores.is_some(), "--zscores"),
        (args.answered_only, "--answered-only"),
        (!formats.contains(&context.format(args.format)), "--format jsonl, csv or trec"),
    ];
    other.into_iter().find_map(|(given, name)| given.then_some(name))
}

/// Refuses --slice and --best-order beside options whose figures are no means over all queries under graded labels.
fn no_slices_here(context: &Context, args: &MeasureArgs) -> Result<()> {
    let wrong = no_means(context, args);
    if let (Some(name), false) = (wrong, args.queries.slices.is_empty()) {
        refuse!("--slice shows means over all queries of a slice under graded labels; leave out {name}");
    }
    if let (Some(name), true) = (wrong, args.best_order) {
        refuse!("--best-order is a mean over all queries under graded labels; leave out {name}");
    }
    if args.best_order && args.people.human.is_some() {
        refuse!("--best-order is a mean under the labels as they are; leave out --human");
    }
    Ok(())
}

/// Refuses output that has no figure for human labels to correct.
fn not_beside_human_labels(context: &Context, args: &MeasureArgs) -> Result<()> {
    let wrong = no_means(context, args).or(args.depth.is_some().then_some("--depth"));
    if let Some(name) = wrong.filter(|_| args.people.human.is_some()) {
        refuse!(
            "--human corrects means over all queries under graded labels, beside their intervals; leave out {name}"
        );
    }
    Ok(())
}

fn plain(context: &Context, args: &MeasureArgs, qrels: &Path) -> Result<()> {
    let named = named(args)?;
    let measures = measures(&named);
    let topics = topics_of_files(context, &args.queries, &args.topics)?;
    let mut labels = read_labels_for(qrels, &measures, args.label_reading.options(&context.global.columns))?;
    topics.iter().for_each(|topics| labels.value.name_queries(topics));
    let form = args.run_reading.form_beside(&context.global.columns, topics.as_ref());
    let file = LabelsFile { path: qrels, qrels: &labels.value };
    let chosen = choose_in_files(context, &args.queries, topics.as_ref(), &file)?;
    let selection = chosen.as_ref().map(QuerySelection::from);
    let options = context.intervals()?;
    if let Some(human_labels) =
        HumanSample::read(context, &args.people, &args.label_reading, options.confidence)?
    {
        let runs = read_systems(&args.runs, &measures, form, [&labels.value])?;
        context.printer.remarks(labels.notes.iter().chain(&runs.notes));
        let runs = runs.value;
        check_identifiers(context, &file, (&args.runs, &runs), args.run_reading)?;
        let runs: Vec<Run> = runs.into_iter().map(|run| run.without_dropped(&labels.value)).collect();
        let corrector = human_labels.corrector(context, &labels.value, &runs, (&measures, false))?;
        let of_run = |(place, run): (usize, &Run)| {
            let figure = |measure| corrector.figure(measure, place).map_err(|error| error.to_string());
            (run.name.clone(), measures.iter().map(figure).collect())
        };
        let corrected = runs.iter().enumerate().map(of_run).collect();
        let scores = evaluate_all(&measures, &labels.value, &runs);
        let measured = of_files(args, named, scores, topics, corrected, options)?;
        return show(context, args, Measured { selection, ..measured });
    }
    let mut systems = measure_systems(&file, &args.runs, &measures, args.depth, form.clone())?;
    context.printer.remarks(labels.notes.iter().chain(&systems.notes));
    leave_out_unchosen(chosen.as_ref(), &mut labels.value, &mut systems.value);
    let measured = of_files(args, named, systems.value, topics, BTreeMap::new(), options)?;
    let best_order = best_order_of_files(args, &measures, &labels.value, &form)?;
    let measured = Measured { selection, best_order, best_order_depth: args.depth, ..measured };
    match &args.zscores {
        None => show(context, args, measured),
        Some(file) => z_scores(context, args, &measured, file),
    }
}

fn of_files(
    args: &MeasureArgs,
    named: Vec<TrecEvalMeasure>,
    scores: Vec<Scores>,
    topics: Option<Topics>,
    corrected: BTreeMap<String, Vec<Correction>>,
    options: BootstrapOptions,
) -> Result<Measured> {
    let sliced = sliced_queries(&args.queries, topics.as_ref(), &scores)?;
    let mut slices = Vec::new();
    for measure in 0..named.len() {
        slices.extend(slice_sections(&sliced, &scores, measure, None, &SliceLabels::default(), &options)?);
    }
    let (best_order, best_order_depth) = (BTreeMap::new(), None);
    Ok(Measured {
        named,
        scores,
        options,
        topics,
        best_order,
        best_order_depth,
        selection: None,
        slices,
        corrected,
    })
}

fn study(context: &Context, args: &MeasureArgs) -> Result<Exit> {
    refuse_in_study(&args.people)?;
    no_topics_in_study(&args.topics)?;
    no_slices_here(context, args)?;
    if args.people.anytime.is_some() {
        refuse!(
            "--anytime is about the intervals that `llull compare` decides by; `llull measure` of a study has none"
        );
    }
    let asked = if args.measures.is_empty() && args.format != Some(Format::Trec) {
        Vec::new()
    } else {
        written(args)?
    };
    let typed = Overrides { measures: asked, ..args.study.overrides() }.over(args.queries.overrides());
    let study = context.study_as_last_run(typed)?;
    let known = judge::load_study(context, &study)?;
    let scores = study.measure(&known.inputs, &known.evidence.labels);
    let measures = scores.first().map_or(&[][..], |scores| &scores.measures);
    let name = |measure: &Measure| {
        measure.trec_eval_name(Relevant::default()).unwrap_or_else(|| measure.to_string())
    };
    let named = measures.iter().map(|measure| TrecEvalMeasure { name: name(measure), measure: *measure });
    let exit = judge::exit_of(&known.evidence);
    let mut slices = Vec::new();
    for measure in 0..measures.len() {
        let (sliced, labels) = (&known.inputs.sliced, SliceLabels::default());
        slices.extend(slice_sections(sliced, &scores, measure, None, &labels, &study.bootstrap())?);
    }
    let measured = Measured {
        named: named.collect(),
        options: study.bootstrap(),
        best_order: match args.best_order {
            true => {
                let of_run = |run: &Run| {
                    let labels = known.evidence.labels.qrels();
                    (run.name.clone(), best_order(measures, labels, run, Some(study.settings().pool_depth)))
                };
                known.inputs.runs.iter().map(of_run).collect()
            }
            false => BTreeMap::new(),
        },
        best_order_depth: Some(study.settings().pool_depth),
        selection: known.inputs.chosen.as_ref().map(QuerySelection::from),
        topics: Some(known.inputs.topics),
        slices,
        corrected: BTreeMap::new(),
        scores,
    };
    show(context, args, measured)?;
    Ok(exit)
}

fn show(context: &Context, args: &MeasureArgs, mut measured: Measured) -> Result<()> {
    context.check_columns()?;
    sort(args, &mut measured)?;
    let measured = &measured;
    warn_of_unlabelled(context, &measured.scores);
    warn_of_nothing_relevant(context, &measured.scores);
    warn_of_unjudged(context, &measured.scores);
    match context.format(args.format) {
        format @ (Format::Table | Format::Markdown) => {
            figures_with_intervals::print_table(context, args, measured, format)
        }
        Format::Json => figures_with_intervals::print_json(context, args, measured),
        format => {
            let rows = |scores| SystemRows::of_scores(scores, &measured.named, args.answered_only);
            let mut systems: Vec<SystemRows<'_>> = measured.scores.iter().map(rows).collect();
            write_rows(context, args, format, &mut systems)
        }
    }
}

fn sort(args: &MeasureArgs, measured: &mut Measured) -> Result<()> {
    if args.sort.is_none() {
        return Ok(());
    }
    let rows = |scores| SystemRows::of_scores(scores, &measured.named, args.answered_only);
    let systems: Vec<SystemRows<'_>> = measured.scores.iter().map(rows).collect();
    if let Some(places) = sorted(args, &systems)? {
        measured.scores = reorder(std::mem::take(&mut measured.scores), &places);
    }
    Ok(())
}

fn z_scores(context: &Context, args: &MeasureArgs, measured: &Measured, file: &Path) -> Result<()> {
    let read = read_zscores(file)?;
    if read.notes.constant > 0 {
        let have = if read.notes.constant == 1 { "has" } else { "have" };
        context.printer.warn(format!(
            "{}: {} {have} a standard deviation of 0, where no figure but the mean has a z-score",
            shown_path(file),
            counted(read.notes.constant, "line")
        ));
    }
    warn_of_unlabelled(context, &measured.scores);
    let level = args.level.unwrap_or_default();
    let scores: Vec<_> =
        measured.scores.iter().map(|scores| standardize(scores, level, &read.standardization)).collect();
    let rows = |scores| SystemRows::of_z_scores(scores, &measured.named, args.answered_only);
    let systems: Vec<SystemRows<'_>> = scores.iter().map(rows).collect();
    warn_of_unknown(context, file, &systems);
    let note =
        "Z: (figure - mean) / standard deviation of the query; a query that is not in the file is left out.";
    let conventions = own_conventions(&measures(&measured.named)).chain([note.to_owned()]).collect();
    figures_without_intervals::show(context, args, systems, conventions)
}

/// Warns of measures that the file has for no query.
fn warn_of_unknown(context: &Context, file: &Path, systems: &[SystemRows<'_>]) {
    let Some(system) = systems.first() else { return };
    for (column, overall) in system.columns.iter().zip(&system.overall) {
        if overall.value.is_none() && !column.of_run {
            context.printer.warn(format!("{}: no mean and deviation for {}", shown_path(file), column.name));
        }
    }
}
