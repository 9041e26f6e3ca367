//! The arguments of `llull pool`.

use clap::{ArgGroup, Args};

use super::number_ranges::pool_depth;

/// `llull pool`
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("retrieval").args(["retrieve", "refresh"]).multiple(true)))]
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
    /// Retrieve with systems whose results are not saved yet: run their programs and query their servers
    #[arg(long)]
    pub(crate) retrieve: bool,
    /// Retrieve with all systems again, also where results are saved
    #[arg(long)]
    pub(crate) refresh: bool,
    /// With --retrieve or --refresh: print the best N documents of each query and system
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, requires = "retrieval")]
    pub(crate) show: usize,
}
