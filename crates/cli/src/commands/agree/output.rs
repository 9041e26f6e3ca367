//! `llull agree` on labels: reads, compares, and prints what came of it.

use anyhow::{Result, bail};
use indexmap::IndexSet;
use llull::agreement::{
    NamedLabels, Panels, SystemsOptions, SystemsUnderBoth, against, clamped, panels, systems_under,
};
use llull::metrics::{Measure, Scores, evaluate_all};
use llull::report::{SignificanceOptions, without_interval};
use llull::stats::{Agreement, AgreementOptions, BootstrapOptions, SystemOptions};
use serde::Serialize;

use super::inputs::Inputs;
use super::tested::{self, Names};
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
    let comparer = Comparer { context, inputs: &inputs, options, systems: how_systems(args, &inputs) };
    comparer.something_in_common()?;
    let under_truth = comparer.measured(&inputs.truth, &inputs.measures.0);
    let mut others = Vec::with_capacity(inputs.others.len());
    let mut said = IndexSet::new();
    for (labels, typed) in inputs.others.iter().zip(&inputs.typed.1) {
        let (agreement, by_measure) = comparer.compare(labels, &under_truth, &mut said)?;
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

fn how_systems(args: &AgreeArgs, inputs: &Inputs) -> SystemsOptions {
    let systems = inputs.runs.len();
    let pairs = SignificanceOptions {
        test: args.test,
        correction: args.correct.unwrap_or_default(),
        draws: args.resamples.map(|draws| draws as usize),
        ..SignificanceOptions::new(inputs.bootstrap)
    };
    SystemsOptions {
        rankings: SystemOptions { bootstrap: Some(inputs.bootstrap), ..SystemOptions::default() },
        pairs: pairs.pair_options(systems * systems.saturating_sub(1) / 2),
        power: args.power,
    }
}

/// Holds others against the truth, one at a time.
struct Comparer<'a> {
    context: &'a Context,
    inputs: &'a Inputs,
    options: AgreementOptions,
    systems: SystemsOptions,
}

impl Comparer<'_> {
    fn something_in_common(&self) -> Result<()> {
        let truth = &self.inputs.truth;
        match self.inputs.others.as_slice() {
            [first, ..] if !self.inputs.others.iter().any(|labels| truth.has_pairs_of(labels)) => {
                bail!(truth.nothing_in_common(first))
            }
            _ => Ok(()),
        }
    }

    /// The runs under these labels; none without runs.
    fn measured(&self, labels: &NamedLabels, measures: &[Measure]) -> Vec<Scores> {
        match self.options.clamp {
            _ if self.inputs.runs.is_empty() => Vec::new(),
            Some(clamp) => evaluate_all(measures, &clamped(&labels.qrels, clamp), &self.inputs.runs),
            None => evaluate_all(measures, &labels.qrels, &self.inputs.runs),
        }
    }

    fn compare(
        &self,
        labels: &NamedLabels,
        under_truth: &[Scores],
        said: &mut IndexSet<String>,
    ) -> Result<(Agreement, Vec<SystemsUnderBoth>)> {
        let read = against(&self.inputs.truth, labels, &self.options)?;
        if read.value.n == 0 {
            // A rater of a panel may have graded other pairs than the truth has.
            self.context.printer.warn(self.inputs.truth.nothing_in_common(labels));
            return Ok((read.value, Vec::new()));
        }
        let confidence = self.options.bootstrap.map(|bootstrap| bootstrap.confidence);
        let no_interval = confidence.and_then(|share| without_interval(read.value.queries, "queries", share));
        let mut by_measure = Vec::new();
        if !self.inputs.runs.is_empty() {
            let under_other = self.measured(labels, &self.inputs.measures.1);
            for measure in 0..self.inputs.measures.0.len() {
                by_measure.push(systems_under(under_truth, &under_other, measure, &self.systems)?);
            }
        }
        // Measures share queries and systems, and so remarks; several OTHERs share the truth.
        let about_systems = by_measure.iter().flat_map(|systems| systems::notes(&labels.name, systems));
        let several = self.inputs.others.len() > 1;
        let names = Names { truth: &self.inputs.truth.name, other: &labels.name, several };
        let about_tests = tested::notes(&names, &by_measure);
        for note in read.notes.into_iter().chain(no_interval).chain(about_systems).chain(about_tests) {
            if said.insert(note.clone()) {
                self.context.printer.warn(note);
            }
        }
        let agreement = match by_measure.first() {
            Some(first) => read.value.with_systems(&first.agreement),
            None => read.value,
        };
        Ok((agreement, by_measure))
    }
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
    let sentences: Vec<String> = sentences.collect();
    if !sentences.is_empty() {
        parts.push(sentences.join("\n"));
    }
    parts.join("\n\n")
}
