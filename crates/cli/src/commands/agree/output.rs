//! `llull agree` on labels: reads, compares, and prints what came of it.

use anyhow::{Result, bail};
use llull::agreement::{
    NamedLabels, Panels, SystemsOptions, SystemsUnderBoth, against, clamped, panels, systems_under,
};
use llull::metrics::{Scores, evaluate_all};
use llull::stats::{Agreement, AgreementOptions, BootstrapOptions, PairOptions, SystemOptions};
use serde::Serialize;

use super::inputs::Inputs;
use super::{labels, systems};
use crate::args::AgreeArgs;
use crate::commands::Context;
use crate::exit::Exit;

/// What is printed as JSON: with one OTHER its figures at the top.
#[derive(Serialize)]
pub(crate) struct Output {
    pub(crate) truth: String,
    /// What tables and sentences call it.
    #[serde(skip)]
    pub(crate) truth_name: String,
    #[serde(flatten)]
    pub(crate) bootstrap: BootstrapOptions,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) clamp: Option<String>,
    #[serde(flatten)]
    pub(crate) compared: Compared,
}

#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Compared {
    One(Box<Other>),
    Several {
        others: Vec<Other>,
        /// With the truth as one of the raters, and without it.
        panel: Box<Panels>,
    },
}

/// One OTHER against the truth.
#[derive(Serialize)]
pub(crate) struct Other {
    pub(crate) other: String,
    #[serde(skip)]
    pub(crate) name: String,
    #[serde(flatten)]
    pub(crate) agreement: Agreement,
    /// What `systems` sums up for the first measure.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) by_measure: Vec<SystemsUnderBoth>,
}

pub(crate) fn run(context: &Context, args: &AgreeArgs) -> Result<Exit> {
    let inputs = Inputs::read(context, args)?;
    let options = AgreementOptions { clamp: args.clamp, bootstrap: Some(inputs.bootstrap) };
    let under_truth = measured(&inputs, &inputs.truth, &options, true);
    let mut others = Vec::with_capacity(inputs.others.len());
    for (labels, typed) in inputs.others.iter().zip(&inputs.typed.1) {
        let (agreement, by_measure) = compare(context, args, &inputs, &under_truth, labels, &options)?;
        others.push(Other { other: typed.clone(), name: labels.name.clone(), agreement, by_measure });
    }
    let raters: Vec<_> = inputs.others.iter().take(inputs.raters).map(|labels| &labels.qrels).collect();
    let compared = match others.pop() {
        Some(only) if others.is_empty() => Compared::One(Box::new(only)),
        last => {
            others.extend(last);
            Compared::Several { others, panel: Box::new(panels(&inputs.truth.qrels, &raters, &options)?) }
        }
    };
    let output = Output {
        truth: inputs.typed.0,
        truth_name: inputs.truth.name,
        bootstrap: inputs.bootstrap,
        clamp: args.clamp.map(|clamp| clamp.to_string()),
        compared,
    };
    show(context, &output)?;
    Ok(inputs.exit)
}

/// The runs under these labels.
fn measured(
    inputs: &Inputs,
    labels: &NamedLabels,
    options: &AgreementOptions,
    is_truth: bool,
) -> Vec<Scores> {
    let measures = if is_truth { &inputs.measures.0 } else { &inputs.measures.1 };
    match options.clamp {
        _ if inputs.runs.is_empty() => Vec::new(),
        Some(clamp) => evaluate_all(measures, &clamped(&labels.qrels, clamp), &inputs.runs),
        None => evaluate_all(measures, &labels.qrels, &inputs.runs),
    }
}

fn compare(
    context: &Context,
    args: &AgreeArgs,
    inputs: &Inputs,
    under_truth: &[Scores],
    labels: &NamedLabels,
    options: &AgreementOptions,
) -> Result<(Agreement, Vec<SystemsUnderBoth>)> {
    let truth = &inputs.truth;
    let read = against(truth, labels, options)?;
    for note in &read.notes {
        context.printer.warn(note);
    }
    let mut agreement = read.value;
    if agreement.n == 0 {
        bail!(truth.nothing_in_common(labels));
    }
    let mut by_measure = Vec::new();
    if !inputs.runs.is_empty() {
        let other = measured(inputs, labels, options, false);
        let how = SystemsOptions {
            rankings: SystemOptions { bootstrap: Some(inputs.bootstrap), ..SystemOptions::default() },
            pairs: PairOptions {
                correction: args.correct,
                draws: inputs.bootstrap.resamples,
                ..PairOptions::new(args.test, inputs.bootstrap.seed)
            },
            power: args.power,
        };
        for measure in 0..inputs.measures.0.len() {
            by_measure.push(systems_under(under_truth, &other, measure, &how)?);
        }
    }
    if let Some(first) = by_measure.first() {
        agreement = agreement.with_systems(&first.agreement);
    }
    let mut notes: Vec<String> = Vec::new();
    for note in by_measure.iter().flat_map(|systems| systems::notes(&labels.name, systems)) {
        // Measures share queries and systems.
        if !notes.contains(&note) {
            context.printer.warn(&note);
            notes.push(note);
        }
    }
    Ok((agreement, by_measure))
}

fn show(context: &Context, output: &Output) -> Result<()> {
    if context.global.json {
        context.printer.result(serde_json::to_string_pretty(output)?)?;
        return Ok(());
    }
    let text = match &output.compared {
        Compared::One(other) => block(output, other),
        Compared::Several { others, panel } => {
            let mut parts: Vec<String> = others.iter().map(|other| block(output, other)).collect();
            parts.push(labels::side_by_side(others));
            parts.push(labels::panels(panel, output.bootstrap.confidence));
            parts.join("\n\n")
        }
    };
    context.printer.result(text)?;
    Ok(())
}

/// All about one OTHER.
fn block(output: &Output, other: &Other) -> String {
    let mut parts = labels::parts(output, other);
    parts.extend(other.by_measure.iter().flat_map(|systems| systems::parts(output, other, systems)));
    let sentences = labels::sentences(output, other)
        .into_iter()
        .chain(other.by_measure.iter().flat_map(|systems| systems::sentences(output, other, systems)));
    parts.push(sentences.collect::<Vec<_>>().join("\n"));
    parts.join("\n\n")
}
