//! The inputs of a comparison: files, or a study's labels and systems.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use llull::agreement::{AgreementInputs, NamedLabels, UnderBoth, study_labels};
use llull::config::Overrides;
use llull::core::{Qrels, Run};
use llull::data::shown_path;
use llull::files::{LabelsFile, read_systems};
use llull::label::TierScheme;
use llull::metrics::{Measure, WrittenMeasure};
use llull::report::{check_comparable, is_comparable, level_note, reference_overlap};
use llull::stats::BootstrapOptions;
use llull::training::TrainedQueries;
use llull::{ALL_ANNOTATORS, StudyEvidence};

use crate::args::AgreeArgs;
use crate::commands::{
    Context, check_identifiers, correction, each_judge_once, each_run_once, judge, measure, named_labels,
    named_labels_in_order, one_standard_input, place,
};
use crate::exit::{Exit, Usage, refuse};

/// The inputs, and the options of the comparison.
pub(super) struct Inputs {
    pub(super) compared: AgreementInputs,
    pub(super) bootstrap: BootstrapOptions,
    pub(super) exit: Exit,
    /// The study's answers, if the labels are its judges'.
    pub(super) evidence: Option<StudyEvidence>,
}

impl Inputs {
    pub(super) fn read(context: &Context, args: &AgreeArgs) -> Result<Self> {
        one_standard_input(args.truth.iter().chain(&args.others).chain(&args.runs))?;
        each_run_once(&args.runs)?;
        each_judge_once(&args.others)?;
        check_systems(args)?;
        correction(args.test, args.correct)?;
        let inputs = if args.others.is_empty() { of_study(context, args)? } else { of_files(context, args)? };
        let measures = &inputs.compared.measures;
        let measured = [measures.truth.as_slice(), &measures.other].concat();
        if let Some(note) = level_note(&measured).filter(|_| !inputs.compared.runs.is_empty()) {
            context.printer.note(note);
        }
        if inputs.compared.runs.is_empty() && about_systems(args) {
            refuse!(
                "there are no systems to measure: --measure, --other-measure and --power need runs. Name them \
                 behind --runs:\n  \
                 llull agree TRUTH OTHER --runs RUN..."
            );
        }
        Ok(inputs)
    }
}

/// Checks the options about systems before any file is read.
fn check_systems(args: &AgreeArgs) -> Result<()> {
    for measure in
        measure::parse_each(&args.measures)?.iter().chain(&measure::parse_each(&args.other_measures)?)
    {
        check_comparable(measure).map_err(|error| Usage(error.to_string()))?;
    }
    if let [only] = args.runs.as_slice() {
        refuse!(
            "{} is the only run, and one system has no rank; name two at least, or leave out all for agreement \
             of labels alone",
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
            "--judge {judge}: judges are chosen from a study, or from a file of answers with --preferences; a \
             qrels file is one judge's"
        );
    }
    let files: Vec<PathBuf> = args.truth.iter().chain(&args.others).cloned().collect();
    truth_among_others(context, args)?;
    let bootstrap = context.intervals()?;
    let measures = paired(measure::parse(&args.measures)?, &measure::parse_each(&args.other_measures)?)?;
    let truth = labels(context, args, (args.truth(), &files), &measures.truth)?;
    let others = args.others.iter().map(|file| labels(context, args, (file, &files), &measures.other));
    let others = others.collect::<Result<Vec<_>>>()?;
    let runs = runs(context, args, &measures, (&truth.qrels, &others))?;
    Ok(Inputs {
        compared: AgreementInputs { truth, raters: others.len(), others, runs, measures },
        bootstrap,
        exit: Exit::Fine,
        evidence: None,
    })
}

/// Warns if the truth is the only other, as it agrees with itself. Refuses it among several others, where it would
/// be two judges of the panel.
pub(super) fn truth_among_others(context: &Context, args: &AgreeArgs) -> Result<()> {
    if !args.others.iter().any(|other| place(other) == place(args.truth())) {
        return Ok(());
    }
    let truth = shown_path(args.truth());
    if args.others.len() > 1 {
        refuse!("{truth}: the truth is one of the others, too, and would count as two judges; name it once");
    }
    context
        .printer
        .warn(format!("{truth}: this is the truth itself, so its agreement is perfect and means nothing"));
    Ok(())
}

/// The labels of a file. Fractions are read where no system is measured under them by more than their order.
fn labels(
    context: &Context,
    args: &AgreeArgs,
    (file, files): (&Path, &[PathBuf]),
    measures: &[Measure],
) -> Result<NamedLabels> {
    let options = args.label_reading.options(&context.global.columns);
    match args.runs.is_empty() || measures.iter().all(Measure::reads_only_order) {
        true => named_labels_in_order(context, file, files, options),
        false => named_labels(context, file, files, options),
    }
}

fn of_study(context: &Context, args: &AgreeArgs) -> Result<Inputs> {
    let file = shown_path(args.truth());
    context.need_study(|none| {
        format!(
            "{file} is alone, and {none} whose labels could be compared with it. Name others behind it:\n  \
             llull agree TRUTH OTHER..."
        )
    })?;
    let name = args.truth().to_str().filter(|name| is_no_file(name));
    let from_file =
        || named_labels(context, args.truth(), &[], args.label_reading.options(&context.global.columns));
    let truth = name.is_none().then(from_file).transpose()?;
    let said = |measures| Overrides { measures, ..Overrides::default() };
    let mut study = context.study_as_last_run(said(args.measures.clone()))?;
    let own = study.settings().measures.iter().filter(|measure| is_comparable(measure));
    let others = args.other_measures.iter().map(|name| {
        let written = name.parse::<WrittenMeasure>().map_err(|error| Usage(error.to_string()))?;
        Ok(study.measure_here(&written)?)
    });
    let measures = paired(own.copied().collect(), &others.collect::<Result<Vec<_>>>()?)?;
    if !args.other_measures.is_empty() {
        // Runs are read as far as the measures look.
        let both = measures.truth.iter().chain(&measures.other);
        let all = both.map(|measure| WrittenMeasure::from(*measure).to_string()).collect();
        study = context.study_again(said(all))?;
    }
    let known = judge::load_study(context, &study)?;
    let human_labels = known.evidence.human_labels.as_ref();
    let of_people = name.and_then(|name| Some(NamedLabels::new(name, human_labels?.labels_of(name)?)));
    if of_people.is_some() && (about_systems(args) || !args.runs.is_empty()) {
        refuse!(
            "{file}: annotators labelled a sample, under which no system can be measured; llull compare corrects \
             figures by it. Leave out runs and measures"
        );
    }
    let is_sample = of_people.is_some();
    let truth = match truth.or(of_people) {
        Some(truth) => truth,
        None if name == Some(ALL_ANNOTATORS) => {
            bail!("{file}: nobody has labelled a pair of this study's sample yet; llull review shows them")
        }
        None => from_file()?,
    };
    let (mut others, raters) = study_labels(&known.evidence, &args.judges)?;
    if let Some(empty) = others.iter().find(|labels| labels.qrels.pairs() == 0) {
        bail!("{}: there is no label yet to compare with {file}; llull run has the pool judged", empty.name);
    }
    let trained = study.students().trained_on(&truth.qrels).of_judges(&args.judges);
    let truth = leave_out_trained(context, &trained, truth, &mut others);
    if let Some(tournament) =
        study.settings().tournament.as_ref().filter(|_| known.evidence.compared().is_some())
    {
        let places = tournament.labels != TierScheme::Anchored;
        others = others.into_iter().map(|labels| labels.in_order(places)).collect();
        if places {
            warn_of_places(context, tournament.labels);
        }
    }
    let runs = match args.runs.is_empty() {
        false => runs(context, args, &measures, (&truth.qrels, &others))?,
        true if is_sample => Vec::new(),
        // One system has no rank, and no option needs one.
        true if known.inputs.runs.len() < 2 && !about_systems(args) => Vec::new(),
        true => known.inputs.runs,
    };
    Ok(Inputs {
        compared: AgreementInputs { truth, others, raters, runs, measures },
        bootstrap: study.bootstrap(),
        exit: judge::exit_of(&known.evidence),
        evidence: Some(known.evidence),
    })
}

/// Leaves the queries that judges were trained on out of both sides. If nothing else is left, all stays, with a
/// warning.
fn leave_out_trained(
    context: &Context,
    trained: &TrainedQueries,
    truth: NamedLabels,
    others: &mut [NamedLabels],
) -> NamedLabels {
    let Some(left_out) = trained.left_out(&truth.qrels) else { return truth };
    let unseen = trained.unseen(&truth.qrels);
    if others.iter().all(|labels| reference_overlap(&labels.qrels, &unseen).both == 0) {
        for judge in trained.names() {
            context.printer.warn(format!(
                "{judge} was trained on these labels, so its agreement with them shows nothing"
            ));
        }
        return truth;
    }
    context.printer.warn(left_out);
    others.iter_mut().for_each(|labels| labels.qrels = trained.unseen(&labels.qrels));
    NamedLabels { qrels: unseen, ..truth }
}

/// Whether this name stands for annotators and not for a file: all of them together, or one, if no file has the name.
fn is_no_file(name: &str) -> bool {
    name == ALL_ANNOTATORS || (name != "-" && !Path::new(name).exists())
}

/// Warns that labels of another kind than grades are compared by their order only.
fn warn_of_places(context: &Context, labels: TierScheme) {
    context.printer.warn(format!(
        "this study's labels are {labels}: places in an order and not grades, so only orders are compared. For grades \
         set labels = \"anchored\" in [tournament]; llull agree --preferences compares the answers"
    ));
}

/// The measures under the truth and under the others: the same, unless `--other-measure` is given.
fn paired(measures: Vec<Measure>, others: &[Measure]) -> Result<UnderBoth<Vec<Measure>>> {
    let others = match others {
        [] => measures.clone(),
        [only] => vec![*only; measures.len()],
        _ if others.len() == measures.len() => others.to_vec(),
        _ => refuse!(
            "{} measures and {} --other-measure: give --other-measure once for all, or once for each --measure",
            measures.len(),
            others.len()
        ),
    };
    Ok(UnderBoth { truth: measures, other: others })
}

/// Reads the runs that are measured by these measures under the truth.
fn runs(
    context: &Context,
    args: &AgreeArgs,
    measures: &UnderBoth<Vec<Measure>>,
    (truth, others): (&Qrels, &[NamedLabels]),
) -> Result<Vec<Run>> {
    let labels = std::iter::once(truth).chain(others.iter().map(|other| &other.qrels));
    let all: Vec<Measure> = measures.truth.iter().chain(&measures.other).copied().collect();
    let read = read_systems(&args.runs, &all, args.run_reading.form(&context.global.columns), labels)?;
    context.printer.remarks(&read.notes);
    let file = LabelsFile { path: args.truth(), qrels: truth };
    check_identifiers(context, &file, (&args.runs, &read.value), args.run_reading)?;
    Ok(read.value)
}
