//! Reads labels of other forms than one grade for each pair.
//!
//! These are grades of several judges, preferences and subtopics.

use std::path::Path;

use anyhow::{Result, bail};
use llull::core::{Identifiers, Run};
use llull::data::{QrelsNotes, read_prefs, read_qrels_jg, read_qrels_prefs, shown_path};
use llull::files::{depth_under, dropped_pairs, read_system, system_names};
use llull::metrics::{
    DiversityMeasure, PreferenceMeasure, Scores, TopicFigures, evaluate_diversity, evaluate_judges,
    evaluate_preferences,
};
use llull::report::own_conventions;
use llull::report::text::count;

use super::figures_without_intervals::show;
use super::measure_names::{measures, named};
use super::rows::SystemRows;
use super::warnings::warn_of_unlabelled;
use crate::args::{LabelsForm, MeasureArgs};
use crate::commands::Context;
use crate::exit::{Usage, refuse};

/// `-R qrels_jg`
pub(super) fn judges(context: &Context, args: &MeasureArgs, qrels: &Path) -> Result<()> {
    let named = named(args)?;
    let measures = measures(&named);
    let file = read_qrels_jg(qrels)?;
    check_labels(context, qrels, &file.notes)?;
    context
        .printer
        .remarks(file.judges.values().next().and_then(|labels| dropped_pairs(&shown_path(qrels), labels)));
    let deepest = file.judges.values().map(|labels| depth_under(&measures, labels)).max().flatten();
    let labels = file.judges.values().flat_map(|labels| labels.iter());
    let labels = labels.map(|(query, documents)| (query, documents.keys()));
    let identifiers = Identifiers::new(shown_path(qrels), labels);
    let scores_of = |run: &Run| Ok(evaluate_judges(&measures, file.judges.values(), run));
    let all = measured(context, args, (&identifiers, deepest), scores_of)?;
    let level = args.level.unwrap_or_default();
    let rows = |scores| SystemRows::of_judges(scores, &named, level, args.answered_only);
    let systems: Vec<SystemRows<'_>> = all.iter().map(rows).collect();
    let note = format!(
        "{} judges; a query's figure is the mean over the judges who judged it, and documents count once for each \
         judge.",
        count(file.judges.len())
    );
    show(context, args, systems, own_conventions(&measures).chain([note]).collect())
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
    let groups = file.preferences.iter().flat_map(|(query, groups)| {
        groups
            .values()
            .flat_map(|group| group.values())
            .map(move |levels| (query, levels.keys().map(|id| &**id)))
    });
    let identifiers = Identifiers::new(shown_path(qrels), groups);
    let scores_of = |run: &Run| Ok(evaluate_preferences(&measures, &file.preferences, run)?);
    // Documents that are not retrieved count, so the run is read whole.
    let all = measured(context, args, (&identifiers, None), scores_of)?;
    let systems: Vec<SystemRows<'_>> =
        all.iter().map(|scores| SystemRows::of_preferences(scores, args.answered_only)).collect();
    let note = "Preferences: ties in score are broken by document id, ascending, as trec_eval does for them.";
    show(context, args, systems, vec![note.to_owned()])
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
    let labels = file.judges.values().flat_map(|labels| labels.iter());
    let labels = labels.map(|(query, documents)| (query, documents.keys()));
    let identifiers = Identifiers::new(shown_path(qrels), labels);
    let scores_of = |run: &Run| Ok(evaluate_diversity(&measures, file.judges.values(), run));
    let all = measured(context, args, (&identifiers, deepest), scores_of)?;
    let systems: Vec<SystemRows<'_>> =
        all.iter().map(|scores| SystemRows::of_diversity(scores, args.answered_only)).collect();
    let note = "The ideal list is found greedily and can be beaten: alpha_nDCG may exceed 1.";
    show(context, args, systems, vec![note.to_owned()])
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

/// Refuses a file without a label, and warns of lines that repeat others.
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
            "{}: {lines} another (the first: {}); figures are the same without",
            shown_path(path),
            first.place
        ));
    }
    Ok(())
}

/// Reads the runs one by one, no further than measures look, checks that they share queries and documents with the
/// labels, and measures each.
fn measured<T: TopicFigures>(
    context: &Context,
    args: &MeasureArgs,
    (labels, deepest): (&Identifiers<'_>, Option<usize>),
    scores_of: impl Fn(&Run) -> Result<Scores<T>>,
) -> Result<Vec<Scores<T>>> {
    let deepest = deepest.into_iter().chain(args.depth).min();
    let mut all = Vec::new();
    for (path, name) in args.runs.iter().zip(system_names(&args.runs)) {
        let run = read_system(path, &name, deepest, args.run_reading.form(&context.global.columns))?;
        context.printer.remarks(&run.notes);
        context.printer.remarks(Identifiers::of_run(shown_path(path), &run.value).check_overlap(labels)?);
        all.push(scores_of(&run.value)?);
    }
    warn_of_unlabelled(context, &all);
    Ok(all)
}
