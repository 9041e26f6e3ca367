//! The arguments of `llull review DATASET`: a review of expected answers.

use std::path::PathBuf;

use clap::Args;

use super::number_ranges::pool_depth;
use super::review::QueueChoice;
use super::serve::ServerArgs;

/// Where expected answers are looked for. llull evaluate has the same flags.
#[derive(Debug, Clone, Args)]
pub(crate) struct ReviewedAnswers {
    /// With DATASET: a retriever's results, JSON lines or any other results with texts; repeat for more
    #[arg(long, value_name = "FILE", requires = "dataset")]
    pub(crate) results: Vec<PathBuf>,
    /// With DATASET: a retriever to ask, as of llull evaluate; repeat for more
    #[arg(long = "retriever", value_name = "NAME", requires = "dataset")]
    pub(crate) retrievers: Vec<String>,
    /// The documents that --retriever searches
    #[arg(long, value_name = "FILE", requires = "retrievers")]
    pub(crate) corpus: Option<PathBuf>,
    /// The separator of several expected answers in one cell of a CSV
    #[arg(long, value_name = "TEXT", requires = "dataset", value_parser = super::evaluate::answers_separator)]
    pub(crate) answers_separator: Option<String>,
    /// With DATASET: how many results of each retriever are shown for a query
    #[arg(long, value_name = "K", default_value_t = 10, requires = "dataset", value_parser = pool_depth)]
    pub(crate) depth: usize,
    /// With DATASET: a judge whose answers choose the passages of --queue disagreement or failures; repeat for more
    #[arg(long = "judge", value_name = "JUDGE", requires = "dataset")]
    pub(crate) judges: Vec<String>,
    /// With DATASET: the rubric, if annotators grade. By default they answer yes or no
    #[arg(long, value_name = "FILE", requires = "dataset")]
    pub(crate) rubric: Option<PathBuf>,
    /// With DATASET: the facts of each expected answer, which annotators look for in place of it
    #[arg(long, value_name = "FILE", requires = "dataset")]
    pub(crate) facts: Option<PathBuf>,
    /// With DATASET: the file for the answers. By default the study's ledger, in a study's folder
    #[arg(long, value_name = "FILE", requires = "dataset")]
    pub(crate) ledger: Option<PathBuf>,
}

/// A review of expected answers, in place of their evaluation.
#[derive(Debug, Clone)]
pub(crate) struct AnswerReview {
    pub(crate) annotator: Option<String>,
    pub(crate) queue: QueueChoice,
    pub(crate) query: Option<String>,
    pub(crate) overlap: Option<usize>,
    pub(crate) most: Option<usize>,
    pub(crate) output: Option<PathBuf>,
    pub(crate) read: Option<PathBuf>,
    pub(crate) server: ServerArgs,
}
