//! Commands that work on plain files as well as on a study.

use std::path::PathBuf;

use clap::Args;

/// `llull label`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  llull label                                labels.qrels of the study, from its ledger\n  llull label a.qrels b.qrels c.qrels -o -   the median of three judges' files\n\nWith several judges the label is the median, of an even number the lower of the two in the middle; --json tells \
how far they are apart."
)]
pub(crate) struct LabelArgs {
    /// Qrels files, a judge each; without any, the study's ledger is read
    pub(crate) qrels: Vec<PathBuf>,
    /// Where to write the labels, as TREC qrels; - is standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// A judge of the study; repeat for a panel
    #[arg(long = "judge", value_name = "JUDGE")]
    pub(crate) judges: Vec<String>,
}

/// `llull measure`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  llull measure human.qrels bm25.run dense.run.gz -m nDCG@10 -m 'P(rel=2)@5'\n  llull measure                     the study's systems under its own labels\n\nTopics of the qrels that a run does not answer count as 0. Unjudged documents count as not relevant, and are counted. Ties: score descending, then document id descending. trec_eval's names (ndcg_cut_10) work too."
)]
pub(crate) struct MeasureArgs {
    /// Labels: TREC qrels or BEIR TSV, plain, .gz or .zst; - is standard input
    pub(crate) qrels: Option<PathBuf>,
    /// Runs: TREC, plain, .gz or .zst; each is named after its file
    pub(crate) runs: Vec<PathBuf>,
    /// A measure, such as nDCG@10, nDCG(dcg='exp-log2')@10, AP, RR@10, P(rel=2)@5, R@100, Success@5, Judged@10;
    /// repeat for more. By default those of the study, or nDCG@10
    #[arg(short = 'm', long = "measure", value_name = "MEASURE")]
    pub(crate) measures: Vec<String>,
    /// Print every topic, too
    #[arg(short = 'q', long)]
    pub(crate) per_query: bool,
}

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

/// A share that an interval can have.
pub(crate) fn confidence(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.5..1.0).contains(&share) => Ok(share),
        _ => Err("it lies from 0.5 to below 1; 0.95 is usual".into()),
    }
}
