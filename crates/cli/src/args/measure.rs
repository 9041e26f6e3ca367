//! `llull measure`: what can be typed.

use std::path::PathBuf;

use clap::Args;

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
