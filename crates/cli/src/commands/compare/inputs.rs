//! The systems to compare: of plain files, or of a study.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use llull::Study;
use llull::config::Overrides;
use llull::core::{Run, SlicedQueries};
use llull::files::{
    Corrections, LabelsFile, MissingBounds, measure_systems, read_labels_for, read_systems, system_names,
};
use llull::human_labels::{CorrectionOptions, Corrector, SampledHow};
use llull::metrics::{Measure, Scores, WrittenMeasure, evaluate_all};
use llull::report::text::counted;
use llull::report::{ChangeSplit, CheckGate, QuerySelection, check_gates, unreliable_judges};
use llull::stats::{BootstrapOptions, Gate, Looks};

use crate::args::{CompareArgs, LabelReading, RunReading};
use crate::commands::judge::LoadedStudy;
use crate::commands::{
    Context, HumanSample, check_identifiers, choose_in_files, each_run_once, judge, leave_out_unchosen,
    looks, no_study_flag, no_topics_in_study, one_standard_input, place, refuse_in_study, sliced_queries,
    topics_of_files,
};
use crate::exit::{Exit, refuse};

/// Figures to compare, and how intervals are drawn.
pub(super) struct Measured {
    /// The study's name; `None` for files.
    pub(super) name: Option<String>,
    pub(super) scores: Vec<Scores>,
    pub(super) baseline: String,
    pub(super) exit: Exit,
    pub(super) bootstrap: BootstrapOptions,
    /// How far missing labels could change them.
    pub(super) missing: MissingBounds,
    /// Their figures, corrected by human labels.
    pub(super) corrected: Corrections,
    /// Which queries were chosen; `None` for all.
    pub(super) selection: Option<QuerySelection>,
    /// The queries by the fields of slices.
    pub(super) sliced: Vec<SlicedQueries>,
    /// The parts of the change since an earlier report, if one is named.
    pub(super) changes: Option<ChangeSplit>,
    /// The bounds on judges in `[checks]`; none of files.
    pub(super) check_gates: Vec<CheckGate>,
    /// The unreliable judges, as a phrase for a sentence.
    pub(super) unreliable_judges: Option<String>,
    /// Whether the labels are judges' alone, so that verdicts have a track record.
    pub(super) by_judges_alone: bool,
    /// The study with its evidence; `None` for files.
    pub(super) study: Option<(Study, LoadedStudy)>,
}

/// Whether the arguments are plain files, qrels first, rather than systems of a study.
pub(super) fn is_files(context: &Context, args: &CompareArgs) -> bool {
    let first = args.what.first().map(PathBuf::from).unwrap_or_default();
    let is_file = first.is_file() || first.as_os_str() == "-";
    // With --baseline, that run need not be named again.
    let least = if args.baseline.is_some() { 2 } else { 3 };
    args.what.len() >= least && (is_file || context.folder().is_none())
}

pub(super) fn files(context: &Context, args: &CompareArgs, measures: &[Measure]) -> Result<Measured> {
    let bootstrap = context.intervals()?;
    let mut paths: Vec<PathBuf> = args.what.iter().map(PathBuf::from).collect();
    let qrels = paths.remove(0);
    let baseline = match &args.baseline {
        Some(baseline) => place_of_file(baseline, &mut paths)?,
        None => 0,
    };
    if args.against.is_some() {
        refuse!("--against is about the reports of a study, and files are given; leave it out");
    }
    no_study_flag(args.study.first().or(args.ignore_checks.then_some("--ignore-checks")))?;
    let topics = topics_of_files(context, &args.queries, &args.topics)?;
    one_standard_input(paths.iter().chain([&qrels]).chain(&args.people.human).chain(&args.people.sampled))?;
    each_run_once(&paths)?;
    let mut labels = read_labels_for(&qrels, measures, args.label_reading.options(&context.global.columns))?;
    topics.iter().for_each(|topics| labels.value.name_queries(topics));
    let form = args.run_reading.form_beside(&context.global.columns, topics.as_ref());
    if args.people.human.is_some() && !args.queries.settings().is_all() {
        refuse!("--queries and --sample-queries choose among all queries of the labels; leave out --human");
    }
    let file = LabelsFile { path: &qrels, qrels: &labels.value };
    let chosen = choose_in_files(context, &args.queries, topics.as_ref(), &file)?;
    let selection = chosen.as_ref().map(QuerySelection::from);
    if let Some(human_labels) =
        HumanSample::read(context, &args.people, &args.label_reading, bootstrap.confidence)?
    {
        let runs = read_systems(&paths, measures, form, [&labels.value])?;
        context.printer.remarks(labels.notes.iter().chain(&runs.notes));
        let runs = runs.value;
        check_identifiers(context, &file, (&paths, &runs), args.run_reading)?;
        let runs: Vec<Run> = runs.into_iter().map(|run| run.without_dropped(&labels.value)).collect();
        let corrector = human_labels.corrector(context, &labels.value, &runs, (measures, true))?;
        let systems = runs.iter().enumerate().map(|(place, run)| (run.name.as_str(), place));
        let corrected = Corrections::of(&corrector, measures, baseline, systems);
        let scores = evaluate_all(measures, &labels.value, &runs);
        let missing = MissingBounds::of_runs(&labels.value, measures, &runs, baseline);
        let sliced = sliced_queries(&args.queries, topics.as_ref(), &scores)?;
        let baseline = runs.get(baseline).map(|run| run.name.clone()).unwrap_or_default();
        return Ok(Measured {
            name: None,
            scores,
            baseline,
            exit: Exit::Fine,
            bootstrap,
            missing,
            corrected,
            selection,
            sliced,
            changes: None,
            check_gates: Vec::new(),
            unreliable_judges: None,
            by_judges_alone: true,
            study: None,
        });
    }
    // A run is dropped once it is measured, and read again if labels are missing. A pipe can be read once, so it is
    // held.
    let held = match paths.iter().all(|path| path.is_file()) {
        true => None,
        false => Some(read_systems(&paths, measures, form.clone(), [&labels.value])?),
    };
    let mut scores = match &held {
        Some(runs) => {
            context.printer.remarks(labels.notes.iter().chain(&runs.notes));
            check_identifiers(context, &file, (&paths, &runs.value), args.run_reading)?;
            evaluate_all(measures, &labels.value, &runs.value)
        }
        None => {
            let systems = measure_systems(&file, &paths, measures, None, form.clone())?;
            context.printer.remarks(labels.notes.iter().chain(&systems.notes));
            systems.value
        }
    };
    leave_out_unchosen(chosen.as_ref(), &mut labels.value, &mut scores);
    let lacks_labels = |scores: &Scores| (0..scores.measures.len()).any(|at| scores.unjudged(at).1 > 0);
    let missing = match held {
        _ if !scores.iter().any(lacks_labels) => MissingBounds::default(),
        Some(runs) => MissingBounds::of_runs(&labels.value, measures, &runs.value, baseline),
        None => {
            let runs = read_systems(&paths, measures, form, [&labels.value])?;
            MissingBounds::of_runs(&labels.value, measures, &runs.value, baseline)
        }
    };
    let baseline = scores.get(baseline).map(|scores| scores.run.clone()).unwrap_or_default();
    let sliced = sliced_queries(&args.queries, topics.as_ref(), &scores)?;
    Ok(Measured {
        name: None,
        scores,
        baseline,
        exit: Exit::Fine,
        bootstrap,
        missing,
        corrected: Corrections::default(),
        selection,
        sliced,
        changes: None,
        check_gates: Vec::new(),
        unreliable_judges: None,
        by_judges_alone: args.by_judge,
        study: None,
    })
}

/// The position of the baseline among the runs, found by its file or by its name. A file that is not among them is put
/// first.
fn place_of_file(baseline: &str, runs: &mut Vec<PathBuf>) -> Result<usize> {
    let names = system_names(runs);
    let file = place(Path::new(baseline));
    let by_file = runs.iter().position(|run| place(run) == file);
    if let Some(place) = by_file.or_else(|| names.iter().position(|name| name == baseline)) {
        return Ok(place);
    }
    if !Path::new(baseline).is_file() {
        bail!(
            "--baseline {baseline}: neither a run's file nor one of the systems, which are {}",
            names.join(", ")
        );
    }
    runs.insert(0, PathBuf::from(baseline));
    Ok(0)
}

/// The figures of the study's systems, by the given measures, or else by the study's own, and by those of its gates,
/// which are added to `gates`. The measures of gates are resolved for this study.
pub(super) fn of_study(
    context: &Context,
    args: &CompareArgs,
    measures: Vec<String>,
    gates: &mut Vec<Gate>,
) -> Result<Measured> {
    refuse_in_study(&args.people)?;
    no_topics_in_study(&args.topics)?;
    if args.by_judge {
        refuse!(
            "--by-judge is about the labels of a file, and no file is given; a study knows its judges. Leave it out"
        );
    }
    let said = Overrides { measures, ignore_checks: args.ignore_checks, ..args.study.overrides() };
    let said = said.over(args.queries.overrides());
    context.need_study(|none| {
        format!(
            "{none} whose systems could be compared. To compare plain files, name the qrels first:\n  \
             llull compare QRELS BASELINE.run CANDIDATE.run"
        )
    })?;
    if args.label_reading != LabelReading::default() || args.run_reading != RunReading::default() {
        refuse!("--round, --repeats and --order are about files on the command line, not about a study");
    }
    let mut study = context.study_as_last_run(said)?;
    for gate in gates.iter_mut() {
        let written: WrittenMeasure = gate.measure().parse()?;
        *gate = gate.clone().on_measure(study.measure_here(&written)?.to_string());
    }
    for gate in &study.settings().gates {
        if !gates.contains(gate) {
            gates.push(gate.clone());
        }
    }
    study.add_measures_of(gates)?;
    let known: Vec<&str> = study.settings().systems.iter().map(|system| system.name.as_str()).collect();
    let what = if args.what.is_empty() { all_systems(&study, args) } else { args.what.clone() };
    let mut names: Vec<&String> = what.iter().collect();
    // A baseline that is not among the named systems goes before them.
    names.splice(0..0, args.baseline.as_ref().filter(|baseline| !what.contains(baseline)));
    if let Some(unknown) = names.iter().find(|name| !known.contains(&name.as_str())) {
        bail!("{unknown:?} is not a system of this study; its systems are {}", known.join(", "));
    }
    if let Some((_, twice)) = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name)) {
        refuse!("{twice:?} is named twice; a system cannot be compared with itself");
    }
    let known = judge::load_study(context, &study)?;
    known.inputs.check_gates(gates)?;
    let measured = study.measure(&known.inputs, &known.evidence.labels);
    let scores: Vec<Scores> = names
        .iter()
        .filter_map(|name| measured.iter().find(|scores| scores.run == **name).cloned())
        .collect();
    let baseline = args.baseline.as_ref().or(names.first().copied()).cloned().unwrap_or_default();
    let bootstrap = study.bootstrap();
    let measures = scores.first().map_or(&[][..], |scores| scores.measures.as_slice());
    let options = CorrectionOptions {
        confidence: bootstrap.confidence,
        looks: looks(&args.people),
        ..CorrectionOptions::default()
    };
    let pairs = study.missing_pairs(&known.inputs, &known.evidence);
    let run = |name: &str| known.inputs.runs.iter().find(|run| run.name == name);
    let missing = match run(&baseline).filter(|_| !pairs.is_empty()) {
        Some(against) => {
            let systems: Vec<_> = names.iter().filter_map(|name| run(name)).collect();
            MissingBounds::new(measures, against, &systems, |measure, baseline, system| {
                pairs.bounds(measure, baseline, system)
            })
        }
        None => MissingBounds::default(),
    };
    let corrected = corrected_by_sample(context, &known, measures, &names, &baseline, options)?;
    let against = args.against.as_deref();
    // The record is one of judges without such faults.
    let settings = study.settings();
    let checks = study.judge_checks(&known.inputs, &known.evidence);
    let ignores_failure = settings.ignore_checks && !unreliable_judges(&checks).is_empty();
    let changes = against
        .map(|earlier| study.reports().changes_since(&known.inputs, &known.evidence, earlier, &baseline))
        .transpose()?
        .map(|changes| changes.of_systems(&names));
    Ok(Measured {
        name: Some(study.settings().name.clone()),
        scores,
        baseline,
        exit: judge::exit_of(&known.evidence),
        bootstrap,
        missing,
        corrected,
        changes,
        check_gates: check_gates(&settings.checks, &checks, settings.ignore_checks),
        by_judges_alone: study.reports().labels_are_judges_alone() && !ignores_failure,
        unreliable_judges: judge::warn_of_checks(context, &study, &known),
        selection: known.inputs.chosen.as_ref().map(QuerySelection::from),
        sliced: known.inputs.sliced.clone(),
        study: Some((study, known)),
    })
}

/// The study's systems, its baseline or that of `--baseline` first.
fn all_systems(study: &Study, args: &CompareArgs) -> Vec<String> {
    let settings = study.settings();
    let baseline = args.baseline.as_ref().unwrap_or(&settings.compare.baseline);
    let others = settings.systems.iter().map(|system| &system.name).filter(|name| *name != baseline);
    std::iter::once(baseline).chain(others).cloned().collect()
}

/// Returns each system's corrected figures and differences from the baseline; nothing without a sample, or while none
/// of it is labelled.
fn corrected_by_sample(
    context: &Context,
    known: &LoadedStudy,
    measures: &[Measure],
    systems: &[&String],
    baseline: &str,
    options: CorrectionOptions,
) -> Result<Corrections> {
    let Some(human_labels) = &known.evidence.human_labels else {
        if options.looks != Looks::Once {
            refuse!(
                "--anytime needs human labels, and this study has no sample yet: draw one with llull sample"
            );
        }
        return Ok(Corrections::default());
    };
    let drawn = counted(human_labels.sample.drawn(), "pair");
    if human_labels.labels.labelled() == 0 {
        context.printer.note(format!(
            "a sample of {drawn} is drawn for annotators, and none is labelled yet: nothing is corrected"
        ));
        return Ok(Corrections::default());
    }
    if let Some(why) = known.evidence.uncorrectable() {
        if options.looks != Looks::Once {
            refuse!("--anytime needs human labels that correct figures, and here they correct none: {why}");
        }
        context.printer.note(format!("human labels of the sample correct nothing: {why}"));
        return Ok(Corrections::default());
    }
    if let Some(settled) = human_labels.adjudicated_text() {
        context.printer.note(format!("of the human labels, {settled}"));
    }
    let (judge, human) = (known.evidence.labels.qrels(), human_labels.labels.qrels());
    let runs: &[Run] = &known.inputs.runs;
    let how = SampledHow::Drawn(&human_labels.sample.sample);
    let corrector = Corrector::new(judge, runs, human, how, options)?;
    let place = |name: &str| runs.iter().position(|run| run.name == name);
    let Some(against) = place(baseline) else { return Ok(Corrections::default()) };
    let known = systems.iter().filter_map(|name| Some((name.as_str(), place(name)?)));
    Ok(Corrections::of(&corrector, measures, against, known))
}
