//! Flags on parts of the queries.

use std::path::PathBuf;

use clap::Args;
use llull::config::Overrides;

/// Parts of the queries.
#[derive(Debug, Args)]
#[command(next_help_heading = "Queries")]
pub(crate) struct QueryFlags {
    /// Show figures, differences and verdicts on each value of this metadata field of the queries, such as segment;
    /// repeat for more. By default as in llull.toml
    #[arg(long = "slice", value_name = "FIELD")]
    pub(crate) slices: Vec<String>,
}

impl QueryFlags {
    /// The settings that these flags override.
    pub(crate) fn overrides(&self) -> Overrides {
        Overrides { slices: self.slices.clone(), ..Overrides::default() }
    }
}

/// The queries of plain files.
#[derive(Debug, Args)]
#[command(next_help_heading = "Queries")]
pub(crate) struct TopicsFlag {
    /// For plain files: the queries with their metadata, which --slice needs. A study's llull.toml names them
    #[arg(long, value_name = "FILE")]
    pub(crate) topics: Option<PathBuf>,
}
