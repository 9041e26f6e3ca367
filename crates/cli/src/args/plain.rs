//! Commands that work on plain files as well as on a study.

use std::path::PathBuf;

use clap::Args;

/// `llull label`
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  llull label                                labels.qrels of the study, from its ledger\n  llull label a.qrels b.qrels c.qrels -o -   the median of three judges' files")]
pub(crate) struct LabelArgs {
    /// Qrels files, a judge each; without any, the study's ledger is read
    pub(crate) qrels: Vec<PathBuf>,
    /// Where to write the labels; - is standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// A judge of the study; repeat for a panel
    #[arg(long = "judge", value_name = "JUDGE")]
    pub(crate) judges: Vec<String>,
}

/// `llull measure`
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  llull measure human.qrels bm25.run dense.run.gz -m nDCG@10 -m 'P(rel=2)@5'\n  llull measure                     the study's systems under its own labels\n\nTopics of the qrels that a run does not answer count as 0. Unjudged documents count as not relevant, and\nare counted. Ties: score descending, then document id descending. trec_eval's names (ndcg_cut_10) work too.")]
pub(crate) struct MeasureArgs {
    /// Labels: TREC qrels or BEIR TSV, plain, .gz or .zst; - is standard input
    pub(crate) qrels: Option<PathBuf>,
    /// Runs: TREC, plain, .gz or .zst
    pub(crate) runs: Vec<PathBuf>,
    /// A measure, such as nDCG@10, nDCG(dcg='exp-log2')@10, AP, RR@10, P(rel=2)@5, R@100, Success@5, Judged@10
    #[arg(short = 'm', long = "measure", value_name = "MEASURE")]
    pub(crate) measures: Vec<String>,
    /// Print every topic, too
    #[arg(short = 'q', long)]
    pub(crate) per_query: bool,
}

/// `llull compare`
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  llull compare bm25 dense                        two systems of the study\n  llull compare qrels bm25.run dense.run -m AP    plain files; the first run is the baseline\n  llull compare bm25 dense --gate 'nDCG@10 >= -0.01'\n\nA gate looks at candidate minus baseline: the mean difference, or with low(nDCG@10) >= -0.01 the lower end of\nits interval. A gate that fails ends with exit code 100.")]
pub(crate) struct CompareArgs {
    /// BASELINE CANDIDATE... of the study, or QRELS BASELINE.run CANDIDATE.run...
    #[arg(required = true, num_args = 2.., value_name = "WHAT")]
    pub(crate) what: Vec<String>,
    /// A measure; repeat for more
    #[arg(short = 'm', long = "measure", value_name = "MEASURE")]
    pub(crate) measures: Vec<String>,
    /// What has to hold of candidate minus baseline; repeat for more
    #[arg(long, value_name = "EXPR")]
    pub(crate) gate: Vec<String>,
    /// The interval's confidence
    #[arg(long, value_name = "SHARE", default_value_t = 0.95)]
    pub(crate) confidence: f64,
    /// Bootstrap resamples
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) resamples: usize,
    /// The seed of the resampling
    #[arg(long)]
    pub(crate) seed: Option<u64>,
}
