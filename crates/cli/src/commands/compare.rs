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
    let asked = asked(args, &gates_wanted);
    let Measured { scores, baseline, exit, options } = if is_files(context, args) {
        files(context, args, &super::measure::parse(&asked)?)?
    } else {
        of_study(context, args, asked)?
    };
    let mut comparisons = Vec::new();
    let measures = scores.first().map_or(0, |scores| scores.measures.len());
    for index in 0..measures {
        comparisons.extend(compare(&scores, index, &baseline, &options)?);
    }
    let gates = gates(&gates_wanted, &scores, &baseline, &options)?;
    let passed = gates.iter().all(|gate| gate.passed);
    show(context, Output { baseline, comparisons, gates })?;
    Ok(if passed { exit } else { Exit::GateFailed })
}

/// Figures to compare, the baseline's first, and how.
struct Measured {
    scores: Vec<Scores>,
    baseline: String,
    exit: Exit,
    options: BootstrapOptions,
}

/// The measures asked for, and those that gates need.
fn asked(args: &CompareArgs, gates: &[Gate]) -> Vec<String> {
    args.measures.iter().cloned().chain(gates.iter().map(|gate| gate.measure().to_owned())).collect()
}

/// What the command line says about resampling goes before what the study says.
fn options(args: &CompareArgs, usual: BootstrapOptions) -> BootstrapOptions {
    BootstrapOptions {
        resamples: args.resamples.map_or(usual.resamples, |resamples| resamples as usize),
        confidence: args.confidence.unwrap_or(usual.confidence),
        seed: args.seed.map_or(usual.seed, Seed),
    }
}

/// Two names are systems of the study; a file first is a qrels file, with runs behind it.
fn is_files(context: &Context, args: &CompareArgs) -> bool {
    let first = args.what.first().map(PathBuf::from).unwrap_or_default();
    let is_file = first.is_file() || first.as_os_str() == "-";
    args.what.len() >= 3 && (is_file || !context.global.study.join(llull::config::FILE_NAME).is_file())
}

fn files(context: &Context, args: &CompareArgs, measures: &[Measure]) -> Result<Measured> {
    let paths: Vec<PathBuf> = args.what.iter().map(PathBuf::from).collect();
    super::one_standard_input(&paths)?;
    let (qrels, runs) = paths.split_first().context("a qrels file and at least two runs")?;
    let labels = read_labels(qrels)?;
    let systems = read_systems(runs, measures)?;
    for note in labels.notes.iter().chain(&systems.notes) {
        context.printer.warn(note);
    }
    let scores = evaluate_all(measures, &labels.value, &systems.value);
    let baseline = scores.first().map(|scores| scores.run.clone()).unwrap_or_default();
    let options = options(args, BootstrapOptions::new(Seed(42)));
    Ok(Measured { scores, baseline, exit: Exit::Fine, options })
}

/// The figures of systems of the study: of the measures asked for, or else of its own.
fn of_study(context: &Context, args: &CompareArgs, measures: Vec<String>) -> Result<Measured> {
    let said = llull::config::Overrides { measures, ..Default::default() };
    let dir = &context.global.study;
    if !dir.join(llull::config::FILE_NAME).is_file() {
        bail!(
            "{} holds no study ({}) whose systems could be compared. To compare plain files, name the qrels first:\n  \
             llull compare QRELS BASELINE.run CANDIDATE.run",
            dir.display(),
            llull::config::FILE_NAME
        );
    }
    let study = context.study(said)?;
    let names: Vec<&str> = study.settings().systems.iter().map(|system| system.name.as_str()).collect();
    if let Some(unknown) = args.what.iter().find(|name| !names.contains(&name.as_str())) {
        bail!("{unknown:?} is no system of this study; there are {}", names.join(", "));
    }
    let known = super::judge::what_is_known(context, &study)?;
    let measured = study.measure(&known.prepared, &known.judged);
    let scores = args
        .what
        .iter()
        .filter_map(|name| measured.iter().find(|scores| scores.run == *name).cloned())
        .collect();
    let baseline = args.what.first().cloned().unwrap_or_default();
    let options = options(args, study.bootstrap());
    Ok(Measured { scores, baseline, exit: super::judge::exit_of(&known.judged), options })
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
