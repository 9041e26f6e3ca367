//! Flags on parts of the queries.

use std::path::PathBuf;

use clap::Args;
use llull::config::{Overrides, QuerySettings};

/// Parts of the queries.
#[derive(Debug, Args)]
pub(crate) struct QueryFlags {
    /// Show figures, differences and verdicts separately for each value of this metadata field of the queries, such as
    /// segment; repeat for more. By default as in llull.toml
    #[arg(long = "slice", value_name = "FIELD")]
    pub(crate) slices: Vec<String>,
    /// Use only these queries: field=value of their metadata, a pattern of identifiers such as 'de-*', or a file of
    /// identifiers, one a line. Repeat for more: a query is used if one matches it
    #[arg(long = "queries", value_name = "QUERIES")]
    pub(crate) only: Vec<String>,
    /// Use only N random queries, the same ones for the same seed
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) sample_queries: Option<u32>,
    /// With --sample-queries: keep the share of each value of this metadata field
    #[arg(long, value_name = "FIELD", requires = "sample_queries")]
    pub(crate) sample_by: Option<String>,
}

impl QueryFlags {
    /// The settings that these flags override.
    pub(crate) fn overrides(&self) -> Overrides {
        let QuerySettings { only, sample, sample_by, .. } = self.settings();
        let (slices, queries, sample_queries) = (self.slices.clone(), only, sample);
        Overrides { slices, queries, sample_queries, sample_by, ..Overrides::default() }
    }

    /// The chosen queries.
    pub(crate) fn settings(&self) -> QuerySettings {
        QuerySettings {
            only: self.only.clone(),
            sample: self.sample_queries.map(|size| size as usize),
            sample_by: self.sample_by.clone(),
            ..QuerySettings::default()
        }
    }
}

/// The queries of plain files.
#[derive(Debug, Args)]
pub(crate) struct TopicsFlag {
    /// For plain files: the queries with their metadata, which --slice, --sample-by and --queries field=value need. A
    /// study's llull.toml names them
    #[arg(long, value_name = "FILE")]
    pub(crate) topics: Option<PathBuf>,
}
