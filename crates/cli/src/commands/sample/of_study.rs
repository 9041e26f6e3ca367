//! Samples of a study: draws them, saves them, and imports labels.
//!
//! A sample is drawn from the study's pool and saved next to its ledger, which gets the labels.

use std::path::Path;

use anyhow::Result;
use llull::core::DrawnSample;
use llull::data::write_qrels;
use llull::metrics::Measure;
use llull::report::text::{count, counted};
use llull::review::{HumanLabelsStatus, ReviewDesk, take_sheet};
use llull::sampling::{SampleChoice, SamplePlan, SampleRequest, SamplingFrame};
use llull::{HumanLabelsError, Study, StudySample};
use serde_json::{Value, json};

use super::plan_text;
use super::request::{Defaults, request, units};
use super::status_text;
use crate::args::SampleArgs;
use crate::commands::judge::LoadedStudy;
use crate::commands::sheet_files::write_with_rubric;
use crate::commands::sheets::note_taken;
use crate::commands::{Context, write_output};
use crate::exit::{Exit, refuse};

/// Plans, draws, or writes the sheet of the sample that there is.
pub(super) fn draw(context: &Context, args: &SampleArgs) -> Result<Exit> {
    let study = context.study_as_last_run(args.study.overrides())?;
    let known = crate::commands::judge::load_study(context, &study)?;
    let kept = study.annotators().labels(&known.inputs, &known.evidence)?;
    if let (None, Some(output)) = (args.number, &args.output) {
        let Some(human_labels) = kept else { return Err(HumanLabelsError::NoSample.into()) };
        write_sheet(context, &study, &known, &human_labels.sample, output)?;
        return Ok(Exit::Fine);
    }
    let (measures, wanted) = wanted(args, &study, &known)?;
    let SampleChoice { frame, why } =
        study.annotators().sample_choice(&known.inputs, &known.evidence, &measures, &wanted)?;
    let number = args.number.map(|n| units(args, &frame, n)).transpose()?;
    let plan = frame.plan(number, args.width)?;
    let sample = match number {
        None => kept.as_ref().map(|human_labels| human_labels.sample.clone()),
        Some(n) => Some(drawn(args, &study, &known, &frame, n)?),
    };
    let labelled =
        kept.filter(|human_labels| sample.as_ref().is_some_and(|sample| sample.id == human_labels.sample.id));
    let settled = labelled.as_ref().and_then(|human_labels| human_labels.adjudicated_text());
    let labelled = labelled.map_or(0, |human_labels| human_labels.labels.labelled());
    if !context.shows_json(&in_json(&plan, &why, sample.as_ref(), labelled))? {
        plan_text::print(context, args, (&plan, number), &why)?;
    }
    if let Some(sample) = &sample {
        let (size, drawn) = (count(labelled), counted(sample.drawn(), "pair"));
        let settled = settled.map_or(String::new(), |words| format!("; {words}"));
        context.printer.note(format!("sample {}: {size} of {drawn} labelled{settled}", sample.id));
        if let Some(output) = &args.output {
            write_sheet(context, &study, &known, sample, output)?;
        } else if args.number.is_some() {
            context.printer.note("llull sample -o sheet.csv writes its sheet");
        }
    }
    Ok(Exit::Fine)
}

/// Prints the progress of human labels.
pub(super) fn status(context: &Context, args: &SampleArgs) -> Result<Exit> {
    let study = context.study_as_last_run(args.study.overrides())?;
    let known = crate::commands::judge::load_study(context, &study)?;
    let status = HumanLabelsStatus::of_study(&study, &known.inputs, &known.evidence)?;
    if !context.shows_json(&status)? {
        status_text::print(context, &status)?;
    }
    Ok(Exit::Fine)
}

/// The measures that the sample may be for, and the rest of the request.
fn wanted(args: &SampleArgs, study: &Study, known: &LoadedStudy) -> Result<(Vec<Measure>, SampleRequest)> {
    let settings = study.settings();
    let measures = match &args.measure {
        Some(name) => match name.parse() {
            Ok(written) => vec![study.measure_here(&written)?],
            Err(error) => refuse!("-m {name}: {error}"),
        },
        None => settings.measures.clone(),
    };
    let Some(measure) = measures.first().copied() else {
        refuse!("the study has no measure; name one with -m")
    };
    let scale = known.inputs.rubric.scale;
    let request = request(
        args,
        Defaults {
            measure,
            baseline: settings.compare.baseline.clone(),
            scale: (scale.low(), scale.high()),
            intervals: study.bootstrap(),
        },
    )?;
    Ok((measures, request))
}

fn drawn(
    args: &SampleArgs,
    study: &Study,
    known: &LoadedStudy,
    frame: &SamplingFrame,
    n: usize,
) -> Result<StudySample> {
    let sample: DrawnSample = frame.draw(n)?;
    Ok(study.annotators().keep_sample(&known.inputs, &known.evidence, &sample, args.replace)?)
}

fn write_sheet(
    context: &Context,
    study: &Study,
    known: &LoadedStudy,
    sample: &StudySample,
    output: &Path,
) -> Result<()> {
    let sheet = ReviewDesk::sample_sheet(study, &known.inputs, &known.evidence, sample)?;
    if sheet.rows.iter().all(|row| row.texts.is_empty()) {
        context.printer.warn("the study has no corpus, so the sheet has identifiers only");
    }
    write_with_rubric(context, &known.inputs.rubric, &sheet, output)
}

fn in_json(plan: &SamplePlan, why: &[String], sample: Option<&StudySample>, labelled: usize) -> Value {
    let sample = sample.map(|sample| {
        json!({"id": sample.id, "drawn": sample.drawn(), "labelled": labelled, "frame": sample.sample.units.len()})
    });
    json!({"plan": plan, "why": why, "sample": sample})
}

/// Takes a sheet into the ledger.
pub(super) fn read(context: &Context, args: &SampleArgs, sheet: &Path) -> Result<Exit> {
    let study = context.study_as_last_run(args.study.overrides())?;
    let known = crate::commands::judge::load_study(context, &study)?;
    let LoadedStudy { inputs, evidence } = &known;
    study.annotators().without_base()?;
    if study.annotators().sample()?.is_none() {
        return Err(HumanLabelsError::NoSample.into());
    }
    let taken = take_sheet(&study, inputs, evidence, (sheet, &args.annotator), None)?;
    let Some(human_labels) = study.annotators().labels(inputs, evidence)? else {
        return Err(HumanLabelsError::NoSample.into());
    };
    let (labelled, drawn) = (human_labels.labels.labelled(), human_labels.sample.drawn());
    if let Some(output) = &args.output {
        let mut bytes = Vec::new();
        write_qrels(human_labels.labels.qrels(), &mut bytes)?;
        write_output(context, output, &bytes)?;
    }
    let adjudicated = human_labels.adjudicated();
    let human_labels: Vec<Value> = human_labels
        .annotators
        .iter()
        .map(|(name, labels)| json!({"name": name, "labels": labels}))
        .collect();
    context.shows_json(&json!({
        "annotator": args.annotator, "sheet": taken, "labelled": labelled, "drawn": drawn, "people": human_labels,
        "adjudicated": adjudicated
    }))?;
    note_taken(context, &args.annotator, &taken);
    let open = drawn - labelled;
    context.printer.note(match open {
        0 => format!(
            "all {} of the sample are labelled; llull report corrects by them",
            counted(drawn, "pair")
        ),
        open => format!(
            "{} of {} labelled; {} more: until then the interval allows for every possible label, and is wide",
            count(labelled),
            counted(drawn, "pair"),
            count(open)
        ),
    });
    Ok(if open == 0 { Exit::Fine } else { Exit::Incomplete })
}
