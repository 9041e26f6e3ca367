//! Reads, measures, compares and prints.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use llull::core::Seed;
use llull::files::{measure_systems, read_labels_for, system_names};
use llull::metrics::{Measure, Scores};
use llull::report::text::counted;
use llull::report::{
    Family, SignificanceOptions, SignificanceTable, check_comparable, gates, is_comparable, significance,
};
use llull::stats::{BootstrapOptions, Gate};

use super::render;
use crate::args::{CompareArgs, CompareFormat};
use crate::commands::{
    Context, bootstrap, correction, each_run_once, judge, measure, one_standard_input, place,
};
use crate::exit::{Exit, Usage, refuse};

pub(crate) fn run(context: &Context, args: &CompareArgs) -> Result<Exit> {
    let correction = correction(args.test, args.correct)?;
    let gates_wanted = args
        .gate
        .iter()
        .map(|text| text.parse::<Gate>().map_err(|error| Usage(format!("--gate {text:?}: {error}"))))
        .collect::<Result<Vec<_>, _>>()?;
    let asked = asked(args, &gates_wanted);
    for measure in measure::parse(&asked)? {
        check_comparable(&measure).map_err(|error| Usage(error.to_string()))?;
    }
    let Measured { scores, baseline, exit, bootstrap } = if is_files(context, args) {
        files(context, args, &measure::parse(&asked)?)?
    } else {
        of_study(context, args, asked)?
    };
    if scores.len() < 2 {
        refuse!(
            "{baseline} is alone, with nothing to be compared with: name another system, or another --baseline"
        );
    }
    scores.iter().for_each(|scores| warn_of_topics(context, scores));
    let options = SignificanceOptions {
        test: args.test,
        correction,
        significance: args.significance,
        draws: args.draws.map(|draws| draws as usize),
        family: if args.baseline.is_some() { Family::Baseline } else { Family::AllPairs },
        margin: args.equivalent,
        bootstrap,
    };
    let tables = comparable(context, &scores)
        .map(|measure| significance(&scores, measure, &baseline, &options))
        .collect::<Result<Vec<_>, _>>()?;
    warn(context, &tables);
    let gates = gates(&gates_wanted, &scores, &baseline, &bootstrap)?;
    let passed = gates.iter().all(|gate| gate.passed);
    let usual = if context.global.json { CompareFormat::Json } else { CompareFormat::Table };
    let text = render::render(args.format.unwrap_or(usual), baseline, tables, gates)?;
    context.printer.result(text)?;
    Ok(if passed { exit } else { Exit::GateFailed })
}

/// Queries that a system leaves out decide comparisons, and so does a run that belongs to other labels.
fn warn_of_topics(context: &Context, scores: &Scores) {
    measure::warn_of_unlabelled(context, &scores.run, &scores.unlabelled);
    match scores.missing() {
        0 => {}
        missing => context.printer.warn(format!(
            "{}: {missing} of {} are not answered, and count as 0",
            scores.run,
            counted(scores.topics.len(), "topic")
        )),
    }
}

/// What keeps every pair from being significant: once where it is so of every measure.
fn warn(context: &Context, tables: &[SignificanceTable]) {
    let Some(first) = tables.first() else { return };
    let shared = tables.iter().all(|table| table.notes == first.notes);
    for table in &tables[..if shared { 1 } else { tables.len() }] {
        for note in &table.notes {
            match shared {
                true => context.printer.warn(note),
                false => context.printer.warn(format!("{}: {note}", table.measure)),
            }
        }
    }
}

/// The places of measures by which systems can be compared: a study may have others beside them.
fn comparable(context: &Context, scores: &[Scores]) -> impl Iterator<Item = usize> {
    let measures = scores.first().map_or(&[][..], |scores| scores.measures.as_slice());
    let left_out: Vec<String> =
        measures.iter().filter(|measure| !is_comparable(measure)).map(ToString::to_string).collect();
    if !left_out.is_empty() {
        context
            .printer
            .note(format!("left out, since systems cannot be compared by it: {}", left_out.join(", ")));
    }
    let places = measures.iter().enumerate().filter(|(_, measure)| is_comparable(measure));
    places.map(|(place, _)| place).collect::<Vec<_>>().into_iter()
}

/// Figures to compare, and how.
struct Measured {
    scores: Vec<Scores>,
    baseline: String,
    exit: Exit,
    bootstrap: BootstrapOptions,
}

/// The measures asked for, and those that gates need.
fn asked(args: &CompareArgs, gates: &[Gate]) -> Vec<String> {
    args.measures.iter().cloned().chain(gates.iter().map(|gate| gate.measure().to_owned())).collect()
}

/// Two names are systems of the study; a file first is a qrels file, with runs behind it.
fn is_files(context: &Context, args: &CompareArgs) -> bool {
    let first = args.what.first().map(PathBuf::from).unwrap_or_default();
    let is_file = first.is_file() || first.as_os_str() == "-";
    // the baseline need not be named twice
    let least = if args.baseline.is_some() { 2 } else { 3 };
    args.what.len() >= least && (is_file || !has_study(context))
}

fn has_study(context: &Context) -> bool {
    context.global.study.join(llull::config::FILE_NAME).is_file()
}

fn files(context: &Context, args: &CompareArgs, measures: &[Measure]) -> Result<Measured> {
    let bootstrap = bootstrap(args.resamples, args.confidence, args.seed, BootstrapOptions::new(Seed(42)))?;
    let mut paths: Vec<PathBuf> = args.what.iter().map(PathBuf::from).collect();
    let qrels = paths.remove(0);
    let baseline = match &args.baseline {
        Some(baseline) => place_of_file(baseline, &mut paths)?,
        None => 0,
    };
    one_standard_input(paths.iter().chain([&qrels]))?;
    each_run_once(&paths)?;
    let labels = read_labels_for(&qrels, measures)?;
    let systems = measure_systems(&labels.value, &paths, measures, None)?;
    for note in labels.notes.iter().chain(&systems.notes) {
        context.printer.warn(note);
    }
    let scores = systems.value;
    let baseline = scores.get(baseline).map(|scores| scores.run.clone()).unwrap_or_default();
    Ok(Measured { scores, baseline, exit: Exit::Fine, bootstrap })
}

/// Where the baseline is among the runs: by its file, then by its name. Another file is put before them.
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

/// The figures of systems of the study: of the measures asked for, or else of its own.
fn of_study(context: &Context, args: &CompareArgs, measures: Vec<String>) -> Result<Measured> {
    let said = llull::config::Overrides { measures, ..Default::default() };
    if !has_study(context) {
        bail!(
            "{} holds no study ({}) whose systems could be compared. To compare plain files, name the qrels first:\n  \
             llull compare QRELS BASELINE.run CANDIDATE.run",
            context.global.study.display(),
            llull::config::FILE_NAME
        );
    }
    let study = context.study(said)?;
    let known: Vec<&str> = study.settings().systems.iter().map(|system| system.name.as_str()).collect();
    let mut names: Vec<&String> = args.what.iter().collect();
    // a baseline that is not named among the systems goes before them
    names.splice(0..0, args.baseline.as_ref().filter(|baseline| !args.what.contains(baseline)));
    if let Some(unknown) = names.iter().find(|name| !known.contains(&name.as_str())) {
        bail!("{unknown:?} is no system of this study; there are {}", known.join(", "));
    }
    let known = judge::what_is_known(context, &study)?;
    let measured = study.measure(&known.inputs, &known.evidence.labels);
    let scores = names
        .iter()
        .filter_map(|name| measured.iter().find(|scores| scores.run == **name).cloned())
        .collect();
    let baseline = args.baseline.as_ref().or(names.first().copied()).cloned().unwrap_or_default();
    let bootstrap = bootstrap(args.resamples, args.confidence, args.seed, study.bootstrap())?;
    Ok(Measured { scores, baseline, exit: judge::exit_of(&known.evidence), bootstrap })
}
