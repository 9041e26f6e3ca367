//! The report on pairwise answers, as data and as text.

use llull_stats::{Mode, ModeAgreement, PreferenceAgreement, Proportion, SwapAgreement};
use serde::Serialize;

use crate::text::{confidence, count, figure, mean_per_item, percent, percent_interval, text_table};

/// Judges' pairwise answers compared with a truth. Written as JSON, it is the output of `llull agree --preferences
/// --json`. Shares are from 0 to 1, intervals have their lower end first, and undefined values are null.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PreferenceReport {
    /// The human preferences, or other answers, that count as true.
    pub truth: PreferenceTruth,
    /// The confidence of intervals.
    pub confidence: f64,
    /// Every judge.
    pub judges: Vec<JudgePreferences>,
}

/// The pairs of the truth, and their file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PreferenceTruth {
    /// The file.
    pub file: String,
    /// How many pairs it decides for one of the two.
    pub pairs: u64,
}

/// One judge's answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JudgePreferences {
    /// The judge.
    pub judge: String,
    /// Pairs of this judge that the truth does not have.
    pub unknown: u64,
    /// Pairs that the truth ties.
    pub tied: u64,
    /// On how many of these the judge decides all the same.
    pub tied_decided: u64,
    /// The figures by the order in which the two were shown.
    pub modes: Vec<ModeFigures>,
    /// How far both orders agree; null if the judge has no pair in both.
    pub swap: Option<SwapFigures>,
}

/// The figures of one mode of asking.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ModeFigures {
    /// The mode.
    pub mode: Mode,
    /// How many pairs.
    pub n: u64,
    /// The share of pairs decided for one of the two.
    pub coverage: Option<f64>,
    /// Its interval.
    pub coverage_interval: Ends,
    /// The share of the decided pairs that are decided as the truth has it.
    pub precision: Option<f64>,
    /// Its interval.
    pub precision_interval: Ends,
    /// The share of all pairs that are decided as the truth has it.
    pub recall: Option<f64>,
    /// Its interval.
    pub recall_interval: Ends,
    /// Pairs decided for one of the two.
    pub decided: u64,
    /// Pairs decided as the truth has it.
    pub right: u64,
    /// Pairs of which the judge prefers neither.
    pub neither: u64,
    /// Pairs without an answer that could be read.
    pub unusable: u64,
    /// Calls; null if each has several pairs.
    pub calls: Option<u64>,
    /// Calls a pair; null in the same case.
    pub calls_per_pair: Option<f64>,
}

/// How far both orders agree.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SwapFigures {
    /// Pairs with an answer in both orders.
    pub n: u64,
    /// The share of these with the same answer in both.
    pub swap_consistency: Option<f64>,
    /// Its interval.
    pub swap_consistency_interval: Ends,
    /// Cohen's kappa of the answers in the two orders.
    pub kappa: Option<f64>,
    /// Pairs on which the two orders choose different items.
    pub opposed: u64,
    /// Of these, the share in which both orders chose the document in first position.
    pub first_position: Option<f64>,
    /// Its interval.
    pub first_position_interval: Ends,
}

/// The ends of an interval, the lower first.
type Ends = Option<(f64, f64)>;

impl JudgePreferences {
    /// The answers of this judge, with how many pairs the truth does not know.
    pub fn new(judge: impl Into<String>, unknown: u64, agreement: &PreferenceAgreement) -> Self {
        Self {
            judge: judge.into(),
            unknown,
            tied: agreement.tied.n,
            tied_decided: agreement.tied.count,
            modes: agreement.modes.iter().map(ModeFigures::from).collect(),
            swap: agreement.swap.as_ref().map(SwapFigures::from),
        }
    }

    /// The same for answers that are lists: a call is about several pairs, which are not independent, so there are no
    /// intervals.
    #[must_use]
    pub fn of_lists(mut self) -> Self {
        for mode in &mut self.modes {
            (mode.calls, mode.calls_per_pair) = (None, None);
            (mode.coverage_interval, mode.precision_interval, mode.recall_interval) = (None, None, None);
        }
        if let Some(swap) = &mut self.swap {
            (swap.swap_consistency_interval, swap.first_position_interval) = (None, None);
        }
        self
    }
}

impl From<&ModeAgreement> for ModeFigures {
    fn from(of: &ModeAgreement) -> Self {
        Self {
            mode: of.mode,
            n: of.n,
            coverage: of.coverage.share,
            coverage_interval: ends(of.coverage),
            precision: of.precision.share,
            precision_interval: ends(of.precision),
            recall: of.recall.share,
            recall_interval: ends(of.recall),
            decided: of.coverage.count,
            right: of.precision.count,
            neither: of.neither,
            unusable: of.unusable,
            calls: Some(of.calls),
            calls_per_pair: of.calls_per_pair,
        }
    }
}

impl From<&SwapAgreement> for SwapFigures {
    fn from(of: &SwapAgreement) -> Self {
        Self {
            n: of.consistency.n,
            swap_consistency: of.consistency.share,
            swap_consistency_interval: ends(of.consistency),
            kappa: of.kappa,
            opposed: of.first_position.n,
            first_position: of.first_position.share,
            first_position_interval: ends(of.first_position),
        }
    }
}

fn ends(proportion: Proportion) -> Ends {
    proportion.low.zip(proportion.high)
}

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
