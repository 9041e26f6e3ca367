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
    /// identifiers, one a line. Repeat for more: queries that match any of them are used
    #[arg(long = "queries", value_name = "QUERIES")]
    pub(crate) only: Vec<String>,
    /// Use only N random queries, the same ones in every run. N:FIELD keeps the share of each value of this
    /// metadata field
    #[arg(long, value_name = "N[:FIELD]", value_parser = query_sample)]
    pub(crate) sample_queries: Option<QuerySampleSize>,
}

impl QueryFlags {
    /// The settings that these flags override.
    pub(crate) fn overrides(&self) -> Overrides {
        let QuerySettings { only, sample, sample_by, .. } = self.settings();
        let (slices, queries, sample_queries) = (self.slices.clone(), only, sample);
        Overrides { slices, queries, sample_queries, sample_by, ..Overrides::default() }
    }

    /// The field whose shares a sample keeps.
    pub(crate) fn sample_by(&self) -> Option<&str> {
        self.sample_queries.as_ref()?.by.as_deref()
    }

    /// The chosen queries.
    pub(crate) fn settings(&self) -> QuerySettings {
        QuerySettings {
            only: self.only.clone(),
            sample: self.sample_queries.as_ref().map(|sample| sample.queries),
            sample_by: self.sample_by().map(str::to_owned),
            ..QuerySettings::default()
        }
    }
}

/// A number of random queries.
#[derive(Debug, Clone)]
pub(crate) struct QuerySampleSize {
    queries: usize,
    /// The metadata field whose shares the sample keeps.
    by: Option<String>,
}

/// Parses the size of a sample of queries.
fn query_sample(text: &str) -> Result<QuerySampleSize, String> {
    let (size, by) = text.split_once(':').map_or((text, None), |(size, field)| (size, Some(field)));
    match (size.parse::<u32>(), by) {
        (Ok(queries @ 1..), by) if by != Some("") => {
            Ok(QuerySampleSize { queries: queries as usize, by: by.map(str::to_owned) })
        }
        _ => Err("must be a whole number, 1 or more, or with a metadata field, such as 50:segment".into()),
    }
}

/// The queries of plain files.
#[derive(Debug, Args)]
pub(crate) struct TopicsFlag {
    /// For plain files: the queries. Labels and runs may name them by their texts, saved replies by their order, and
    /// --slice, --sample-queries N:FIELD and --queries field=value need their metadata. A study's llull.toml names them
    #[arg(long, value_name = "FILE")]
    pub(crate) topics: Option<PathBuf>,
}
