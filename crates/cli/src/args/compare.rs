//! `llull compare`: what can be typed.

use clap::Args;

use super::confidence;

/// `llull compare`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  llull compare bm25 dense                        two systems of the study\n  llull compare qrels bm25.run dense.run -m AP    plain files; the first run is the baseline\n  llull compare bm25 dense --gate 'nDCG@10 >= -0.01'\n\nA gate looks at candidate minus baseline: the mean difference, or with low(nDCG@10) >= -0.01 the lower end of its interval. A gate that fails ends with exit code 100."
)]
pub(crate) struct CompareArgs {
    /// Two or more systems of the study; or plain files: QRELS BASELINE.run CANDIDATE.run...
    #[arg(required = true, num_args = 2.., value_names = ["BASELINE", "CANDIDATE"])]
    pub(crate) what: Vec<String>,
    /// A measure; repeat for more. By default those of the gates, or of the study, or nDCG@10
    #[arg(short = 'm', long = "measure", value_name = "MEASURE")]
    pub(crate) measures: Vec<String>,
    /// What has to hold of candidate minus baseline; repeat for more
    #[arg(long, value_name = "EXPR")]
    pub(crate) gate: Vec<String>,
    /// The interval's confidence, from 0.5 to below 1. By default the study's, or 0.95
    #[arg(long, value_name = "SHARE", value_parser = confidence)]
    pub(crate) confidence: Option<f64>,
    /// Bootstrap resamples. By default the study's, or 10000
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) resamples: Option<u32>,
    /// The seed of the resampling. By default the study's, or 42
    #[arg(long)]
    pub(crate) seed: Option<u64>,
}
