//! `llull agree --preferences`: a judge's pairwise answers.

use anyhow::{Result, bail};
use llull::preferences::{AgainstReference, JudgeAnswers, against, answers_of, read_answers, read_reference};
use llull::stats::{Mode, ModeAgreement, Proportion, SwapAgreement};
use serde::Serialize;

use super::inputs::truth_among_others;
use crate::args::AgreeArgs;
use crate::commands::Context;
use crate::exit::{Exit, refuse};
use llull::report::text::{count, text_table};

#[derive(Serialize)]
struct Output {
    truth: Truth,
    confidence: f64,
    judges: Vec<Judge>,
}

#[derive(Serialize)]
struct Truth {
    file: String,
    /// How many pairs it decides for one of the two.
    pairs: u64,
}

#[derive(Serialize)]
struct Judge {
    judge: String,
    /// Pairs asked about that the truth does not know.
    unknown: u64,
    /// Pairs that the truth has tied.
    tied: u64,
    /// On how many of these the judge decides all the same.
    tied_decided: u64,
    modes: Vec<Row>,
    swap: Option<Swap>,
}

/// One mode's figures; shares are from 0 to 1, intervals lower end first, and what is undefined is null.
#[derive(Serialize)]
struct Row {
    mode: Mode,
    n: u64,
    coverage: Option<f64>,
    coverage_interval: Interval,
    precision: Option<f64>,
    precision_interval: Interval,
    recall: Option<f64>,
    recall_interval: Interval,
    decided: u64,
    right: u64,
    neither: u64,
    unusable: u64,
    calls: u64,
    calls_per_pair: Option<f64>,
}

type Interval = Option<(f64, f64)>;

/// How far both orders agree.
#[derive(Serialize)]
struct Swap {
    n: u64,
    swap_consistency: Option<f64>,
    swap_consistency_interval: Interval,
    kappa: Option<f64>,
    /// Pairs on which the two orders choose different items.
    opposed: u64,
    /// Of these, the share in which both chose what was shown first.
    first_position: Option<f64>,
    first_position_interval: Interval,
}

pub(crate) fn run(context: &Context, args: &AgreeArgs) -> Result<Exit> {
    if let [_, second, ..] = args.others.as_slice() {
        refuse!(
            "{}: --preferences compares one file of answers; a file may hold those of several judges (judge, in CSV and JSON lines)",
            llull::data::shown_path(second)
        );
    }
    crate::commands::one_standard_input(std::iter::once(&args.truth).chain(&args.others))?;
    truth_among_others(context, args)?;
    let truth = read_reference(&args.truth)?;
    for note in &truth.notes {
        context.printer.warn(note);
    }
    let confidence = args.confidence.unwrap_or(0.95);
    let judges = answers(context, args)?;
    let mut output = Output {
        truth: Truth { file: llull::data::shown_path(&args.truth), pairs: truth.value.decided() },
        confidence,
        judges: Vec::new(),
    };
    for judge in judges {
        output.judges.push(row(judge.judge.clone(), &against(&truth.value, &judge, confidence)?));
    }
    show(context, &output)?;
    Ok(Exit::Fine)
}

/// The answers of the file, or of the study in hand.
fn answers(context: &Context, args: &AgreeArgs) -> Result<Vec<JudgeAnswers>> {
    let Some(file) = args.others.first() else {
        if !context.global.study.join(llull::config::FILE_NAME).is_file() {
            bail!(
                "{} holds no study ({}) whose judges could be compared with {}. Name a file of answers behind it:\n  \
                 llull agree --preferences TRUTH ANSWERS",
                context.global.study.display(),
                llull::config::FILE_NAME,
                llull::data::shown_path(&args.truth)
            );
        }
        return Ok(answers_of(&context.study(Default::default())?.ledger()?, &args.judges)?);
    };
    let read = read_answers(file)?;
    for note in &read.notes {
        context.printer.warn(note);
    }
    let mut judges = read.value;
    if let Some(unknown) = args.judges.iter().find(|name| judges.iter().all(|judge| judge.judge != **name)) {
        let known: Vec<&str> = judges.iter().map(|judge| judge.judge.as_str()).collect();
        bail!("{}: no judge {unknown:?}; there are {}", llull::data::shown_path(file), known.join(", "));
    }
    judges.retain(|judge| args.judges.is_empty() || args.judges.contains(&judge.judge));
    Ok(judges)
}

fn row(judge: String, compared: &AgainstReference) -> Judge {
    let agreement = &compared.agreement;
    Judge {
        judge,
        unknown: compared.unknown,
        tied: agreement.tied.n,
        tied_decided: agreement.tied.count,
        modes: agreement.modes.iter().map(figures).collect(),
        swap: agreement.swap.as_ref().map(swap),
    }
}

fn interval(proportion: Proportion) -> Interval {
    proportion.low.zip(proportion.high)
}

fn figures(of: &ModeAgreement) -> Row {
    Row {
        mode: of.mode,
        n: of.n,
        coverage: of.coverage.share,
        coverage_interval: interval(of.coverage),
        precision: of.precision.share,
        precision_interval: interval(of.precision),
        recall: of.recall.share,
        recall_interval: interval(of.recall),
        decided: of.coverage.count,
        right: of.precision.count,
        neither: of.neither,
        unusable: of.unusable,
        calls: of.calls,
        calls_per_pair: of.calls_per_pair,
    }
}

fn swap(of: &SwapAgreement) -> Swap {
    Swap {
        n: of.consistency.n,
        swap_consistency: of.consistency.share,
        swap_consistency_interval: interval(of.consistency),
        kappa: of.kappa,
        opposed: of.first_position.n,
        first_position: of.first_position.share,
        first_position_interval: interval(of.first_position),
    }
}

fn show(context: &Context, output: &Output) -> Result<()> {
    if context.global.json {
        context.printer.result(serde_json::to_string_pretty(output)?)?;
        return Ok(());
    }
    let rows = output.judges.iter().flat_map(|judge| judge.modes.iter().map(|row| cells(&judge.judge, row)));
    let interval = format!("{:.0}% interval", output.confidence * 100.0);
    context.printer.result(text_table(
        [
            "judge",
            "mode",
            "pairs",
            "coverage",
            "precision",
            &interval,
            "recall",
            "neither",
            "unread",
            "calls/pair",
        ],
        rows,
    ))?;
    context.printer.result("")?;
    for judge in &output.judges {
        for sentence in sentences(judge) {
            context.printer.result(format!("{}: {sentence}", judge.judge))?;
        }
    }
    Ok(())
}

fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

fn share(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), percent)
}

fn ends(interval: Interval) -> String {
    interval.map_or_else(|| "-".to_owned(), |(low, high)| format!("[{}, {}]", percent(low), percent(high)))
}

fn cells(judge: &str, row: &Row) -> Vec<String> {
    vec![
        judge.to_owned(),
        word(row.mode).to_owned(),
        count(row.n),
        share(row.coverage),
        share(row.precision),
        ends(row.precision_interval),
        share(row.recall),
        count(row.neither),
        count(row.unusable),
        row.calls_per_pair.map_or_else(|| "-".to_owned(), |calls| format!("{calls:.2}")),
    ]
}

fn word(mode: Mode) -> &'static str {
    match mode {
        Mode::Shown => "as first asked",
        Mode::Swapped => "swapped",
        Mode::DoubleCheck => "double-check",
    }
}

/// What a judge's table does not show.
fn sentences(judge: &Judge) -> Vec<String> {
    let mut sentences = Vec::new();
    match &judge.swap {
        Some(swap) => {
            let kappa = swap.kappa.map_or_else(|| "undefined".to_owned(), |kappa| format!("{kappa:.3}"));
            sentences.push(format!(
                "the same answer in both orders for {} {} of {} pairs; kappa {kappa}",
                share(swap.swap_consistency),
                ends(swap.swap_consistency_interval),
                count(swap.n)
            ));
            if swap.opposed > 0 {
                sentences.push(format!(
                    "where the orders choose different items, what is shown first is chosen in {} {} of {} pairs",
                    share(swap.first_position),
                    ends(swap.first_position_interval),
                    count(swap.opposed)
                ));
            }
        }
        None => sentences.push("no pair was asked about in both orders, as far as is known".to_owned()),
    }
    if judge.tied > 0 {
        sentences.push(format!(
            "pairs that the truth ties: {}, of which decided all the same: {}",
            count(judge.tied),
            count(judge.tied_decided)
        ));
    }
    if judge.unknown > 0 {
        sentences.push(format!(
            "pairs that the truth does not know, which count nowhere: {}",
            count(judge.unknown)
        ));
    }
    sentences
}
