//! The report on pairwise answers as text for a terminal.

use llull_stats::Mode;

use super::preferences::{JudgePreferences, ModeFigures, PreferenceReport};
use crate::text::{confidence, count, figure, mean_per_item, percent, percent_interval, text_table};

/// The report as a table with a row for each judge and mode, and sentences below it.
pub fn preferences_text(report: &PreferenceReport) -> String {
    let rows = report.judges.iter();
    let rows = rows.flat_map(|judge| judge.modes.iter().map(|mode| cells(&judge.judge, mode)));
    let interval = format!("{} interval", confidence(report.confidence));
    let headings = [
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
    ];
    let of_judge = |judge: &JudgePreferences| {
        let lines = sentences(judge).into_iter().map(|sentence| format!("{}: {sentence}", judge.judge));
        lines.collect::<Vec<_>>()
    };
    let lines: Vec<String> = report.judges.iter().flat_map(of_judge).collect();
    format!("{}\n\n{}", text_table(headings, rows), lines.join("\n"))
}

fn cells(judge: &str, mode: &ModeFigures) -> Vec<String> {
    vec![
        judge.to_owned(),
        mode_name(mode.mode).to_owned(),
        count(mode.n),
        percent(mode.coverage),
        percent(mode.precision),
        percent_interval(mode.precision_interval),
        percent(mode.recall),
        count(mode.neither),
        count(mode.unusable),
        mean_per_item(mode.calls_per_pair),
    ]
}

fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Shown => "as first shown",
        Mode::Swapped => "swapped",
        Mode::DoubleCheck => "double-check",
    }
}

/// The facts about a judge that the table does not show.
fn sentences(judge: &JudgePreferences) -> Vec<String> {
    let mut sentences = Vec::new();
    match &judge.swap {
        Some(swap) => {
            sentences.push(format!(
                "the same answer in both orders for {} {} of {} pairs; kappa {}",
                percent(swap.swap_consistency),
                percent_interval(swap.swap_consistency_interval),
                count(swap.n),
                figure(swap.kappa)
            ));
            if swap.opposed > 0 {
                sentences.push(format!(
                    "where the orders choose different items, what is shown first is chosen in {} {} of {} pairs",
                    percent(swap.first_position),
                    percent_interval(swap.first_position_interval),
                    count(swap.opposed)
                ));
            }
        }
        None => sentences.push("no pair is known to have an answer in both orders".to_owned()),
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
