//! What is compared with what: files, or a study's labels and systems.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use llull::agreement::{NamedLabels, study_labels};
use llull::config::Overrides;
use llull::core::{Run, Seed};
use llull::data::shown_path;
use llull::files::{read_labels, read_systems};
use llull::metrics::Measure;
use llull::report::{check_comparable, is_comparable};
use llull::stats::BootstrapOptions;

use crate::args::AgreeArgs;
use crate::commands::{
    Context, bootstrap, correction, each_rater_once, each_run_once, judge, measure, one_standard_input, place,
};
use crate::exit::{Exit, Usage, refuse};

/// Everything that was read.
pub(crate) struct Inputs {
    /// What the truth and the others are called in JSON: files as they were typed. Their names are for tables and sentences.
    pub(crate) typed: (String, Vec<String>),
    pub(crate) truth: NamedLabels,
    pub(crate) others: Vec<NamedLabels>,
    /// How many of the others, from the first on, are raters of a panel; a panel's median is none.
    pub(crate) raters: usize,
    pub(crate) runs: Vec<Run>,
    /// What the runs are measured by under the truth, and at the same place under the others.
    pub(crate) measures: (Vec<Measure>, Vec<Measure>),
    pub(crate) bootstrap: BootstrapOptions,
    pub(crate) exit: Exit,
}

impl Inputs {
    pub(crate) fn read(context: &Context, args: &AgreeArgs) -> Result<Self> {
        one_standard_input(std::iter::once(&args.truth).chain(&args.others).chain(&args.runs))?;
        each_run_once(&args.runs)?;
        each_rater_once(&args.others)?;
        check_systems(args)?;
        correction(args.test, args.correct)?;
        let inputs = if args.others.is_empty() { of_study(context, args)? } else { of_files(context, args)? };
        if inputs.runs.is_empty() && about_systems(args) {
            refuse!(
                "there are no systems to measure: --measure, --other-measure and --power need runs. Name them behind --runs:\n  \
                 llull agree TRUTH OTHER --runs RUN..."
            );
        }
        Ok(inputs)
    }
}

/// What can be told of systems before anything is read.
fn check_systems(args: &AgreeArgs) -> Result<()> {
    for measure in
        measure::parse_each(&args.measures)?.iter().chain(&measure::parse_each(&args.other_measures)?)
    {
        check_comparable(measure).map_err(|error| Usage(error.to_string()))?;
    }
    if let [only] = args.runs.as_slice() {
        refuse!(
            "{} is the only run, and one system has no rank; name two at least, or leave out all for agreement of labels alone",
            shown_path(only)
        );
    }
    Ok(())
}

fn about_systems(args: &AgreeArgs) -> bool {
    args.power || !args.measures.is_empty() || !args.other_measures.is_empty()
}

fn of_files(context: &Context, args: &AgreeArgs) -> Result<Inputs> {
    if let Some(judge) = args.judges.first() {
        refuse!(
            "--judge {judge}: judges are chosen from a study, or from a file of answers with --preferences; a qrels file is one judge's"
        );
    }
    let files: Vec<&Path> = std::iter::once(&args.truth).chain(&args.others).map(PathBuf::as_path).collect();
    truth_among_others(context, args)?;
    let bootstrap = bootstrap(args.resamples, args.confidence, args.seed, BootstrapOptions::new(Seed(42)))?;
    let truth = labels(context, &args.truth, &files)?;
    let others = args.others.iter().map(|file| labels(context, file, &files)).collect::<Result<Vec<_>>>()?;
    let measures = paired(measure::parse(&args.measures)?, &args.other_measures)?;
    Ok(Inputs {
        typed: (shown_path(&args.truth), args.others.iter().map(|file| shown_path(file)).collect()),
        truth,
        raters: others.len(),
        others,
        runs: runs(context, &args.runs, &measures)?,
        measures,
        bootstrap,
        exit: Exit::Fine,
    })
}

/// The truth agrees with itself, which is worth a warning; among several others it would be two raters of the panel.
pub(crate) fn truth_among_others(context: &Context, args: &AgreeArgs) -> Result<()> {
    if !args.others.iter().any(|other| place(other) == place(&args.truth)) {
        return Ok(());
    }
    let truth = shown_path(&args.truth);
    if args.others.len() > 1 {
        refuse!("{truth}: the truth is one of the others, too, and would count as two raters; name it once");
    }
    context
        .printer
        .warn(format!("{truth}: this is the truth itself, which agrees with itself whatever it says"));
    Ok(())
}

/// A file's labels, under its name: the whole path only where another file is called the same.
fn labels(context: &Context, file: &Path, files: &[&Path]) -> Result<NamedLabels> {
    let read = read_labels(file)?;
    for note in &read.notes {
        context.printer.warn(note);
    }
    let unique = files.iter().filter(|other| other.file_name() == file.file_name()).count() < 2;
    let name = match file.file_name() {
        Some(name) if unique && file.as_os_str() != "-" => name.to_string_lossy().into_owned(),
        _ => shown_path(file),
    };
    Ok(NamedLabels::new(name, read.value))
}

fn of_study(context: &Context, args: &AgreeArgs) -> Result<Inputs> {
    let file = shown_path(&args.truth);
    if !context.global.study.join(llull::config::FILE_NAME).is_file() {
        bail!(
            "{file} is alone, and {} holds no study ({}) whose labels could be compared with it. Name others behind it:\n  \
             llull agree TRUTH OTHER...",
            context.global.study.display(),
            llull::config::FILE_NAME,
        );
    }
    let truth = labels(context, &args.truth, &[])?;
    let said = |measures| context.study(Overrides { measures, ..Overrides::default() });
    let mut study = said(args.measures.clone())?;
    let own = study.settings().measures.iter().filter(|measure| is_comparable(measure));
    let measures = paired(own.copied().collect(), &args.other_measures)?;
    if !args.other_measures.is_empty() {
        // Runs are read as far as the measures look.
        study = said(measures.0.iter().chain(&measures.1).map(ToString::to_string).collect())?;
    }
    let known = judge::what_is_known(context, &study)?;
    let (others, raters) = study_labels(&known.evidence, &args.judges)?;
    if let Some(empty) = others.iter().find(|labels| labels.qrels.pairs() == 0) {
        bail!(
            "{}: there is no label yet to compare with {file}; llull judge has the pool judged",
            empty.name
        );
    }
    Ok(Inputs {
        typed: (file, others.iter().map(|labels| labels.name.clone()).collect()),
        truth,
        others,
        raters,
        runs: match args.runs.is_empty() {
            false => runs(context, &args.runs, &measures)?,
            // One system has no rank, and nobody asked for one.
            true if known.inputs.runs.len() < 2 && !about_systems(args) => Vec::new(),
            true => known.inputs.runs,
        },
        measures,
        bootstrap: bootstrap(args.resamples, args.confidence, args.seed, study.bootstrap())?,
        exit: judge::exit_of(&known.evidence),
    })
}

/// What is measured under the others: the same, or what was said.
fn paired(measures: Vec<Measure>, others: &[String]) -> Result<(Vec<Measure>, Vec<Measure>)> {
    let others: Vec<Measure> = measure::parse_each(others)?;
    let others = match others.as_slice() {
        [] => measures.clone(),
        [only] => vec![*only; measures.len()],
        _ if others.len() == measures.len() => others,
        _ => refuse!(
            "{} measures and {} --other-measure: say --other-measure once for all, or once for each --measure",
            measures.len(),
            others.len()
        ),
    };
    Ok((measures, others))
}

fn runs(context: &Context, files: &[PathBuf], measures: &(Vec<Measure>, Vec<Measure>)) -> Result<Vec<Run>> {
    let all: Vec<Measure> = measures.0.iter().chain(&measures.1).copied().collect();
    let read = read_systems(files, &all)?;
    for note in &read.notes {
        context.printer.warn(note);
    }
    Ok(read.value)
}
