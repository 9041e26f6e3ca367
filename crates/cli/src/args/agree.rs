//! `llull agree`: what can be typed.

use std::path::PathBuf;

use clap::Args;

use super::confidence;

/// `llull agree`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  llull agree --preferences human.qrels judge.csv    a file of answers; pairs of different grades are the truth\n  llull agree --preferences human.pref other.pref    comparisons against comparisons\n  llull -C study agree --preferences human.qrels     the study's pairwise judges, from its ledger\n\nComparisons are read as llull rank reads them: CSV under left,right,winner, lines `query winner loser` or `query a b winner`, or JSON lines.\n\
Coverage is the share of pairs decided for one of the two, precision the share of these decided as the truth has it, recall their product. \
A pair asked about in both orders has a third row, double-check: what both answers agree on. Pairs that the truth ties count in none of these."
)]
pub(crate) struct AgreeArgs {
    /// Compare pairwise answers: which of two documents is better
    #[arg(long)]
    pub(crate) preferences: bool,
    /// What is held to be true: qrels, or comparisons; - is standard input, comparisons only
    pub(crate) truth: PathBuf,
    /// A judge's answers, as comparisons of two; without it, those of the study's pairwise judges
    pub(crate) other: Option<PathBuf>,
    /// Only this judge; repeat for more
    #[arg(long = "judge", value_name = "JUDGE")]
    pub(crate) judges: Vec<String>,
    /// The intervals' confidence, from 0.5 to below 1
    #[arg(long, value_name = "SHARE", default_value = "0.95", value_parser = confidence)]
    pub(crate) confidence: f64,
}
