//! `llull compare`: what can be typed.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use llull::stats::{Correction, PairTest};

use super::confidence::confidence;

/// `llull compare`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  llull compare bm25 dense                        two systems of the study\n  llull \
        compare qrels bm25.run dense.run -m AP    plain files; the first run is the baseline\n  llull compare \
        qrels *.run --baseline bm25 --format latex\n  llull compare bm25 dense --gate 'nDCG@10 >= \
        -0.01'\n\nLetters beside a figure name the systems that it is significantly better than. \
        docs/significance.md says what is tested, corrected and decided.\n\nA gate looks at candidate minus \
        baseline: the mean difference, or with low(nDCG@10) >= -0.01 the lower end of its interval. A gate that \
        fails ends with exit code 100."
)]
pub(crate) struct CompareArgs {
    /// Systems of the study, the baseline first; or plain files: QRELS BASELINE.run CANDIDATE.run...
    #[arg(required = true, num_args = 1.., value_names = ["BASELINE", "CANDIDATE"])]
    pub(crate) what: Vec<String>,
    /// A measure; repeat for more. By default those of the gates, or of the study, or nDCG@10
    #[arg(short = 'm', long = "measure", value_name = "MEASURE")]
    pub(crate) measures: Vec<String>,
    /// Compare with this one only, so that fewer pairs are tested and corrected for: a system's name, or its file. By
    /// default the first is the baseline, and every pair is tested
    #[arg(long, value_name = "SYSTEM")]
    pub(crate) baseline: Option<String>,
    /// The test of significance, two-sided
    #[arg(long, value_name = "TEST", default_value = "permutation", value_parser = test())]
    pub(crate) test: PairTest,
    /// How p is corrected for the number of pairs of a measure [default: holm; tukey needs none]
    #[arg(long, value_name = "HOW", value_parser = correction())]
    pub(crate) correct: Option<Correction>,
    /// The level at or below which a corrected p is significant
    #[arg(long, value_name = "LEVEL", default_value_t = 0.05, value_parser = level)]
    pub(crate) significance: f64,
    /// Say whether each difference lies within this much of 0: two one-sided t tests
    #[arg(long, value_name = "MARGIN", value_parser = margin)]
    pub(crate) equivalent: Option<f64>,
    /// What has to hold of candidate minus baseline; repeat for more
    #[arg(long, value_name = "EXPR")]
    pub(crate) gate: Vec<String>,
    /// The form of the result; --json is short for --format json
    #[arg(long, value_enum)]
    pub(crate) format: Option<CompareFormat>,
    /// The intervals' confidence, from 0.5 to below 1. By default the study's, or 0.95
    #[arg(long, value_name = "SHARE", value_parser = confidence)]
    pub(crate) confidence: Option<f64>,
    /// Bootstrap resamples of the intervals. By default the study's, or 10000
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) resamples: Option<u32>,
    /// Draws of the test, where it draws. By default 10000; more for the permutation and the bootstrap test of so many
    /// pairs that none could be significant
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) draws: Option<u32>,
    /// The seed of everything that is drawn. By default the study's, or 42
    #[arg(long)]
    pub(crate) seed: Option<u64>,
}

/// The forms of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CompareFormat {
    /// For people
    Table,
    /// For programs
    Json,
    /// For papers: two tabulars of the package booktabs
    Latex,
    /// For pull requests and notebooks
    Markdown,
}

fn test() -> impl TypedValueParser<Value = PairTest> {
    PossibleValuesParser::new(["permutation", "t", "wilcoxon", "sign", "bootstrap", "tukey"])
        .try_map(|name| name.parse::<PairTest>())
}

fn correction() -> impl TypedValueParser<Value = Correction> {
    PossibleValuesParser::new(["holm", "bh", "none"]).try_map(|name| name.parse::<Correction>())
}

fn level(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(level) if level > 0.0 && level < 1.0 => Ok(level),
        _ => Err("it lies between 0 and 1; 0.05 is usual".into()),
    }
}

fn margin(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(margin) if margin > 0.0 && margin.is_finite() => Ok(margin),
        _ => Err("it is a number above 0, in the unit of the measure: 0.01 for instance".into()),
    }
}
