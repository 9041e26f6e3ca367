//! Trains a student on labels.

use std::path::Path;

use anyhow::{Result, bail};
use llull::config::JudgeKind;
use llull::core::{Qrels, Seed};
use llull::files::read_labels;
use llull::judge::HeldOutAgreement;
use llull::report::text::{ABSENT, counted, figure, interval, text_table, threshold, words};
use llull::{Inputs, Study, TaughtStudent};
use serde_json::json;

use crate::args::TrainArgs;
use crate::commands::{Context, EncodingProgress, ledger};
use crate::exit::Exit;

pub(super) fn run(context: &Context, args: &TrainArgs, name: &str) -> Result<Exit> {
    let study = context.study_as_last_run(Default::default())?;
    let inputs = study.inputs()?;
    context.printer.warnings(inputs.notes.iter().map(|note| &note.text));
    let (labels, of) = match &args.target {
        Some(target) => {
            let read = read_labels(Path::new(target))?;
            context.printer.warnings(&read.notes);
            (read.value, target.clone())
        }
        None => of_study(context, &study, &inputs)?,
    };
    let seed = Seed(args.seed.unwrap_or(study.settings().seed));
    let taught = match &args.encoder {
        None => study.students().teach(&inputs, &labels, &of, seed)?,
        Some(name) => {
            let encoder = context.encoder(name, None)?;
            let progress = EncodingProgress::new(context.printer);
            let mut encoded = |at| progress.encoded(at);
            study.students().teach_with((&*encoder, &mut encoded), &inputs, (&labels, &of), seed)?
        }
    };
    if taught.left_out > 0 {
        context.printer.warn(format!(
            "{} left out: not in the pool, without a text, or of a query without a word",
            counted(taught.left_out, "label")
        ));
    }
    let file = study.students().save(name, &taught)?;
    let mut shown = serde_json::to_value(&taught)?;
    shown["file"] = json!(file.display().to_string());
    if context.shows_json(&shown)? {
        return Ok(Exit::Fine);
    }
    show(context, name, &taught)?;
    context.printer.note(format!(
        "saved in {}; llull run --judge student:{name} judges by it, or model = \"student:{name}\" in a [[judges]] \
         table",
        file.display()
    ));
    Ok(Exit::Fine)
}

/// The labels that the study's judges have made, and whose they are.
fn of_study(context: &Context, study: &Study, inputs: &Inputs) -> Result<(Qrels, String)> {
    let judges = &study.settings().judges;
    if let Some(own) = judges.iter().find(|judge| matches!(judge.kind, JudgeKind::Student { .. })) {
        bail!(
            "judge {} is a student, and no student learns from a student: name the labels to learn from with --target, \
             or run the study with other judges first",
            own.name
        );
    }
    ledger::opened(context, study.ledger())?;
    let labels = study.evidence(inputs)?.labels.qrels().clone();
    if labels.is_empty() {
        bail!("the study has no labels to learn from: llull run makes some, or --target names others");
    }
    let names: Vec<&str> = judges.iter().map(|judge| judge.name.as_str()).collect();
    Ok((labels, names.join(", ")))
}

fn show(context: &Context, name: &str, taught: &TaughtStudent) -> Result<()> {
    let lessons = &taught.student.lessons;
    let printer = context.printer;
    printer.result(format!(
        "{name} has learnt {} of {} from {}. On queries that it had not seen, within queries:\n",
        counted(lessons.pairs, "label"),
        counted(lessons.queries, "query"),
        lessons.labels
    ))?;
    let row = |who: &str, agreement: &HeldOutAgreement| {
        let ends = agreement.rho_interval;
        let interval = ends.map_or_else(|| ABSENT.to_owned(), |(low, high)| interval(Some(low), Some(high)));
        vec![
            who.to_owned(),
            figure(agreement.rho),
            interval,
            figure(agreement.kappa),
            figure(agreement.kappa_quadratic),
        ]
    };
    let headings = [
        words("judge"),
        "rho".into(),
        "95% interval".into(),
        "kappa".into(),
        "quadratic kappa, all pairs".into(),
    ];
    let rows =
        [row(name, &lessons.held_out), row("similarity, which has learnt nothing", &lessons.similarity)];
    printer.result(text_table(headings, rows) + "\n")?;
    let weights = taught.student.features.iter().zip(&taught.student.weights);
    let weights = weights.map(|(feature, weight)| vec![feature.clone(), format!("{weight:+.3}")]);
    printer.result(text_table(["feature", "weight"], weights))?;
    let cuts: Vec<String> = taught.student.thresholds.iter().map(|cut| threshold(*cut)).collect();
    printer.note(format!(
        "a weight is what a standard deviation of the feature adds to the score; grades above {} begin at {}",
        taught.student.scale.0,
        cuts.join(", ")
    ));
    Ok(())
}
