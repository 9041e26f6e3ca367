//! The queries that are judged and measured.

use std::path::PathBuf;

use llull_core::{QueryChoice, QueryChoiceError, QueryFilter, QuerySample, Seed};
use llull_data::{DataError, read_query_list};
use serde::Serialize;

/// The queries that are judged and measured; all by default. The flags of a run choose them, not `llull.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct QuerySettings {
    /// Each a file of identifiers, a pattern of identifiers, or `field=value` of the metadata; a query is chosen if
    /// one matches it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
    /// The size of a sample of these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<usize>,
    /// The metadata field whose values get shares of the sample in proportion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample_by: Option<String>,
}

/// Why the queries cannot be chosen.
#[derive(Debug, thiserror::Error)]
pub enum QuerySettingsError {
    /// A file of identifiers cannot be read.
    #[error("--queries: {0}")]
    File(#[from] DataError),
    /// The choice is not possible.
    #[error(transparent)]
    Choice(#[from] QueryChoiceError),
}

impl QuerySettings {
    /// Returns whether every query is used.
    pub fn is_all(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the choice. `file` is the path of a text that may name a file.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or a pattern is not one.
    pub fn choice(
        &self,
        seed: u64,
        file: impl Fn(&str) -> PathBuf,
    ) -> Result<QueryChoice, QuerySettingsError> {
        let filter = |text: &String| -> Result<QueryFilter, QuerySettingsError> {
            let path = file(text);
            Ok(if path.is_file() { read_query_list(&path)? } else { QueryFilter::parse(text)? })
        };
        let sample =
            self.sample.map(|size| QuerySample { size, by: self.sample_by.clone(), seed: Seed(seed) });
        Ok(QueryChoice { filters: self.only.iter().map(filter).collect::<Result<_, _>>()?, sample })
    }
}
