//! The arguments of `llull pool`.

use clap::Args;

use super::number_ranges::pool_depth;

/// `llull pool`
#[derive(Debug, Args)]
pub(crate) struct PoolArgs {
    /// How many of each system's documents are pooled
    #[arg(long, value_name = "K", value_parser = pool_depth)]
    pub(crate) depth: Option<usize>,
    /// List the documents of this query, with the systems that found them and at which rank
    #[arg(long, alias = "topic", value_name = "ID")]
    pub(crate) query: Option<String>,
    /// List the documents of every query
    #[arg(long)]
    pub(crate) pairs: bool,
}
