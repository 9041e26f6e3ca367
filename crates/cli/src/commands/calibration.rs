//! `llull label --calibrate`: maps a judge's labels to the human scale.

use std::path::{Path, PathBuf};

use anyhow::Result;
use llull::core::LabelSet;
use llull::data::write_qrels;
use llull::human_labels::SampledHow;
use llull::label::CalibrationMethod;
use llull::report::text::{count, counted, difference, figure, interval, percent, text_table};
use llull::stats::{Agreement, BootstrapOptions};
use llull::{
    ALL_ANNOTATORS, CalibratedLabels, CalibratedLabelsError, CalibrationOptions, HumanLabels, StudyEvidence,
};

use super::human_sample::Sampled;
use super::{Context, output_beside_json};
use crate::args::LabelArgs;
use crate::exit::refuse;

/// Calibrates these labels, prints the evidence, and writes them. A query with human labels is calibrated by other
/// queries, so that its labels can be compared with them.
pub(super) fn calibrated(
    context: &Context,
    args: &LabelArgs,
    labels: &LabelSet,
    (method, human): (CalibrationMethod, &Path),
) -> Result<()> {
    let output = output(context, args)?;
    let read = super::named_labels(context, human, &[], args.label_reading.options(&context.global.columns))?;
    let options = options(args, method, context.intervals()?);
    let sampled = match &args.sampled {
        Some(sampled) => Sampled::read(context, sampled)?,
        None => refuse!("--human needs --sampled, which states how the labels were drawn"),
    };
    let labels = labels.qrels();
    let (found, is_apart) = match CalibratedLabels::apart(labels, &read.qrels, sampled.how(), &options) {
        Err(CalibratedLabelsError::Fit(_)) => {
            (CalibratedLabels::new(labels, &read.qrels, sampled.how(), &options)?, false)
        }
        found => (found?, true),
    };
    let human = human.display().to_string();
    print_and_write(context, &found, &human, output.as_deref())?;
    if is_apart {
        context.printer.note(format!(
            "the labels of each query in {human} are by a fit to other queries, so that they can be compared with \
             {human}"
        ));
    } else {
        context.printer.warn(format!(
            "the fit to a part of the queries does not settle, so the labels are by the fit to all: they are trained \
             on {human}, and their agreement with it shows nothing"
        ));
    }
    Ok(())
}

/// Does the same with the human labels of the study's sample. Each query is calibrated by other queries, so that the
/// sample can also correct figures under these labels.
pub(super) fn by_annotators(
    context: &Context,
    args: &LabelArgs,
    labels: &LabelSet,
    (method, human_labels, bootstrap): (CalibrationMethod, &HumanLabels, BootstrapOptions),
) -> Result<()> {
    let output = output(context, args)?;
    let how = SampledHow::Drawn(&human_labels.sample.sample);
    let human = human_labels.labels.qrels();
    let found = CalibratedLabels::apart(labels.qrels(), human, how, &options(args, method, bootstrap))?;
    context.printer.note(format!(
        "calibrated by {human_labels}; a query's labels by a fit to the others, so that the sample can correct figures \
         under them"
    ));
    print_and_write(context, &found, ALL_ANNOTATORS, output.as_deref())
}

/// Returns the human labels of a study's sample to learn from.
pub(super) fn reviewers(evidence: &StudyEvidence) -> Result<HumanLabels> {
    let Some(human_labels) =
        evidence.human_labels.as_ref().filter(|human_labels| human_labels.labels.labelled() > 0)
    else {
        refuse!(
            "--calibrate puts labels on the scale of human labels, and this study's sample has no label yet: \
             llull sample proposes one, llull review shows it. Or name a file with --human and --sampled"
        );
    };
    if let Some(why) = evidence.uncorrectable() {
        refuse!(
            "--calibrate has no human labels to learn from but those of annotators who are judges here: {why}"
        );
    }
    Ok(human_labels.clone())
}

/// Where the labels are written; `None` for nowhere.
fn output(context: &Context, args: &LabelArgs) -> Result<Option<PathBuf>> {
    let output = output_beside_json(context, args.output.as_deref());
    if output.is_some() && args.output.is_none() && args.qrels.is_empty() {
        refuse!(
            "labels.qrels holds the judges' own labels; name another file for calibrated ones, -o calibrated.qrels"
        );
    }
    Ok(output)
}

fn options(args: &LabelArgs, method: CalibrationMethod, bootstrap: BootstrapOptions) -> CalibrationOptions {
    CalibrationOptions { method, relevant: args.relevant_from, bootstrap }
}

/// Prints the evidence of calibrated labels, and writes them. `human` names the source of their scale.
fn print_and_write(
    context: &Context,
    found: &CalibratedLabels,
    human: &str,
    output: Option<&Path>,
) -> Result<()> {
    if !context.shows_json(found)? {
        context.printer.note(calibration_text(found));
    }
    if found.not_drawn > 0 {
        context.printer.warn(format!(
            "{human}: {} of pairs that were not drawn count for nothing",
            counted(found.not_drawn, "label")
        ));
    }
    if found.cross_validated.without_fit > 0 {
        context.printer.warn(format!(
            "{} of the sample could not be predicted from other queries, as the fit to these does not settle",
            counted(found.cross_validated.without_fit, "pair")
        ));
    }
    let quadratic = |agreement: &Option<Agreement>| agreement.as_ref()?.figures.kappa.quadratic;
    let (before, after) = (quadratic(&found.cross_validated.before), quadratic(&found.cross_validated.after));
    if let (Some(before), Some(after)) = (before, after)
        && after <= before
    {
        context.printer.warn(format!(
            "on queries that it has not seen the calibration does not bring the labels nearer to human ones (quadratic \
             kappa {} before, {} after): keep them as they are, have more labelled, or try another method",
            figure(before),
            figure(after)
        ));
    }
    let Some(output) = output else { return Ok(()) };
    let mut bytes = Vec::new();
    write_qrels(&found.labels, &mut bytes)?;
    super::write_output(context, output, &bytes)
}

fn calibration_text(found: &CalibratedLabels) -> String {
    let rows = found.calibration.grades.iter().map(|grade| {
        vec![grade.judge.to_string(), grade.grade.to_string(), figure(grade.expected), count(grade.pairs)]
    });
    let mut parts = vec![format!(
        "{} fitted to {} of {}\n{}",
        found.calibration.method.name(),
        counted(found.pairs, "pair"),
        counted(found.queries, "query"),
        text_table(["the judge's grade", "becomes", "expected human grade", "pairs"], rows)
    )];
    if let Some(severity) = &found.calibration.severity {
        let thresholds: Vec<String> = severity.thresholds.iter().map(|end| figure(*end)).collect();
        parts.push(format!(
            "the judge's thresholds on the scale of human labels: {}; severity {} (above 0 is strict), spread {}",
            thresholds.join(", "),
            difference(severity.severity),
            figure(severity.spread)
        ));
    }
    parts.push(match &found.cut {
        Some(cut) => format!(
            "human grades of {} and above match the judge's {} and above best: kappa {}; {} of resamples agree, their \
             interval is {} to {}",
            cut.relevant,
            cut.cut,
            figure(cut.kappa),
            percent(cut.share),
            cut.low,
            cut.high
        ),
        None => "no cut of the judge's grades separates what annotators find relevant from the rest".to_owned(),
    });
    let cross = &found.cross_validated;
    if let (Some(before), Some(after)) = (&cross.before, &cross.after) {
        parts.push(format!(
            "on queries that the fit has not seen ({} parts, {})\n{}",
            cross.folds,
            counted(before.n, "pair"),
            before_and_after(before, after)
        ));
    }
    parts.join("\n")
}

/// Reads a figure and its interval.
type WithInterval = dyn Fn(&Agreement) -> (Option<f64>, Option<[f64; 2]>);

fn before_and_after(before: &Agreement, after: &Agreement) -> String {
    let row = |name: &str, of: &WithInterval| {
        let cell = |agreement| {
            let (value, ends) = of(agreement);
            let [low, high] = ends.map_or([None, None], |ends| ends.map(Some));
            [figure(value), interval(low, high)]
        };
        std::iter::once(name.to_owned()).chain(cell(before)).chain(cell(after)).collect::<Vec<_>>()
    };
    let rows = [
        row("kappa", &|found| {
            (found.figures.kappa.plain, found.ci.as_ref().and_then(|ci| ci.labels.kappa.plain))
        }),
        row("kappa, quadratic", &|found| {
            (found.figures.kappa.quadratic, found.ci.as_ref().and_then(|ci| ci.labels.kappa.quadratic))
        }),
        row("exact", &|found| (found.figures.exact, found.ci.as_ref().and_then(|ci| ci.labels.exact))),
        row("bias", &|found| (found.figures.bias, found.ci.as_ref().and_then(|ci| ci.labels.bias))),
    ];
    text_table(["agreement with human labels", "before", "95% interval", "calibrated", "95% interval"], rows)
}
