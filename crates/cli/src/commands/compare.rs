//! `llull compare`

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use llull::core::Seed;
use llull::metrics::{Measure, Scores, evaluate_all};
use llull::plain::{read_labels, read_systems};
use llull::report::{Comparison, Finding, GateResult, compare, gates};
use llull::stats::{BootstrapOptions, Gate};
use serde::Serialize;

use super::Context;
use crate::args::CompareArgs;
use crate::exit::Exit;
use crate::table::{difference, table};

#[derive(Serialize)]
struct Output {
    baseline: String,
    comparisons: Vec<Comparison>,
    gates: Vec<GateResult>,
}

pub(crate) fn run(context: &Context, args: &CompareArgs) -> Result<Exit> {
    let gates_wanted = args
        .gate
        .iter()
        .map(|text| text.parse::<Gate>().with_context(|| format!("--gate {text:?}")))
        .collect::<Result<Vec<_>>>()?;
    let measures = measures(args, &gates_wanted)?;
    let (scores, baseline, exit, seed) = if is_files(context, args) {
        let (scores, baseline) = files(context, args, &measures)?;
        (scores, baseline, Exit::Fine, args.seed.unwrap_or(42))
    } else {
        of_study(context, args, &measures)?
    };
    let options = BootstrapOptions { resamples: args.resamples, confidence: args.confidence, seed: Seed(seed) };
    let mut comparisons = Vec::new();
    for index in 0..measures.len() {
        comparisons.extend(compare(&scores, index, &baseline, &options)?);
    }
    let gates = gates(&gates_wanted, &scores, &baseline, &options)?;
    let passed = gates.iter().all(|gate| gate.passed);
    show(context, Output { baseline, comparisons, gates })?;
    Ok(if passed { exit } else { Exit::GateFailed })
}

/// The measures asked for, and those that gates need.
fn measures(args: &CompareArgs, gates: &[Gate]) -> Result<Vec<Measure>> {
    let mut names = args.measures.clone();
    names.extend(gates.iter().map(|gate| gate.measure().to_owned()));
    super::measure::parse(&names)
}

/// Two names are systems of the study; a file first is a qrels file, with runs behind it.
fn is_files(context: &Context, args: &CompareArgs) -> bool {
    let first = args.what.first().map(PathBuf::from).unwrap_or_default();
    args.what.len() >= 3 && (first.is_file() || !context.global.study.join(llull::config::FILE_NAME).is_file())
}

fn files(context: &Context, args: &CompareArgs, measures: &[Measure]) -> Result<(Vec<Scores>, String)> {
    let paths: Vec<PathBuf> = args.what.iter().map(PathBuf::from).collect();
    let (qrels, runs) = paths.split_first().context("a qrels file and at least two runs")?;
    let labels = read_labels(qrels)?;
    let systems = read_systems(runs, measures)?;
    for note in labels.notes.iter().chain(&systems.notes) {
        context.printer.warn(note);
    }
    let scores = evaluate_all(measures, &labels.value, &systems.value);
    let baseline = scores.first().map(|scores| scores.run.clone()).unwrap_or_default();
    Ok((scores, baseline))
}

fn of_study(context: &Context, args: &CompareArgs, measures: &[Measure]) -> Result<(Vec<Scores>, String, Exit, u64)> {
    let said = llull::config::Overrides {
        measures: measures.iter().map(ToString::to_string).collect(),
        seed: args.seed,
        ..Default::default()
    };
    let study = context.study(said).with_context(|| {
        "to compare plain files, name the qrels first: llull compare QRELS BASELINE.run CANDIDATE.run"
    })?;
    let names: Vec<&str> = study.settings().systems.iter().map(|system| system.name.as_str()).collect();
    if let Some(unknown) = args.what.iter().find(|name| !names.contains(&name.as_str())) {
        bail!("{unknown:?} is no system of this study; there are {}", names.join(", "));
    }
    let known = super::judge::what_is_known(context, &study)?;
    let measured = study.measure(&known.prepared, &known.judged);
    let chosen = args
        .what
        .iter()
        .filter_map(|name| measured.iter().find(|scores| scores.run == *name).cloned())
        .collect();
    let baseline = args.what.first().cloned().unwrap_or_default();
    Ok((chosen, baseline, super::judge::exit_of(&known.judged), study.settings().seed))
}

fn word(finding: Finding) -> &'static str {
    match finding {
        Finding::Better => "better",
        Finding::Worse => "worse",
        Finding::Inconclusive => "inconclusive",
    }
}

fn show(context: &Context, output: Output) -> Result<()> {
    if context.global.json {
        context.printer.result(serde_json::to_string_pretty(&output)?)?;
        return Ok(());
    }
    let number = |number: Option<f64>| number.map_or_else(|| "-".to_owned(), difference);
    let rows = output.comparisons.iter().map(|comparison| {
        vec![
            format!("{} vs {}", comparison.system, comparison.baseline),
            comparison.measure.clone(),
            number(comparison.mean_difference),
            format!("[{}, {}]", number(comparison.low), number(comparison.high)),
            comparison.n.to_string(),
            format!("{}/{}/{}", comparison.wins, comparison.ties, comparison.losses),
            word(comparison.decision).to_owned(),
        ]
    });
    context.printer.result(table(
        &["systems", "measure", "difference", "interval", "queries", "win/tie/loss", "decision"],
        rows,
    ))?;
    context.printer.result("")?;
    for comparison in &output.comparisons {
        context.printer.result(&comparison.sentence)?;
    }
    for gate in &output.gates {
        context.printer.result(&gate.sentence)?;
    }
    Ok(())
}
