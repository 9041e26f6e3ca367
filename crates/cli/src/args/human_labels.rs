//! Human labels of a random sample, for commands on plain files.

use std::path::PathBuf;

use clap::Args;
use llull::stats::Estimand;

use super::choices::choices;

/// Human labels of a random sample.
#[derive(Debug, Args)]
pub(crate) struct HumanLabelFlags {
    /// Correct the figures by human labels of a random sample (qrels), with --sampled. QRELS are a judge's labels then;
    /// docs/reference/human-labels.md lists the measures that can be corrected
    #[arg(long, value_name = "QRELS")]
    pub(crate) human: Option<PathBuf>,
    /// How the labels of --human were drawn: pairs or queries, all equally likely, or a file of probabilities. llull
    /// sample writes such a file
    #[arg(long, value_name = "pairs|queries|FILE", requires = "human")]
    pub(crate) sampled: Option<PathBuf>,
    /// What is estimated
    #[arg(long, default_value = "queries_like_these", requires = "human", value_parser = choices([
        ("queries_like_these", Estimand::QueriesLikeThese, "The mean over all queries of which these are a sample"),
        ("these_queries", Estimand::TheseQueries, "The figure by complete human labels of these queries"),
    ]))]
    pub(crate) estimand: Estimand,
    /// Intervals that hold at every look while labels come in; narrowest at N labels (at N queries, if these were
    /// drawn). In a study, of its own sample
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) anytime: Option<u32>,
}
