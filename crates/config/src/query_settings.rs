//! The queries that are judged and measured.

use std::collections::BTreeMap;
use std::path::PathBuf;

use llull_core::{QueryChoice, QueryChoiceError, QueryFilter, QuerySample, Seed, shell_word};
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
    /// The identifiers of the files among `only`, as a run read them: later commands use the same queries, whatever
    /// becomes of the files.
    #[serde(skip)]
    pub lists: BTreeMap<String, Vec<String>>,
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

    /// Returns a command with the flags of this choice, for copying: `llull run --queries segment=tail`.
    pub fn command(&self, command: &str) -> String {
        let mut words = vec![command.to_owned()];
        words.extend(self.only.iter().map(|text| format!("--queries {}", shell_word(text))));
        let sample = self.sample.map(|size| sample_value(size, self.sample_by.as_deref()));
        words.extend(sample.map(|sample| format!("--sample-queries {}", shell_word(&sample))));
        words.join(" ")
    }

    /// Returns the identifiers of each file among these, of an earlier run where it has them. A file that cannot be
    /// read is left out: the [choice](Self::choice) reports it.
    pub fn read_lists(&self, file: impl Fn(&str) -> PathBuf) -> BTreeMap<String, Vec<String>> {
        let list = |text: &String| {
            let ids = match self.lists.get(text) {
                Some(ids) => ids.clone(),
                None => match read_query_list(&Some(file(text)).filter(|path| path.is_file())?).ok()? {
                    QueryFilter::Listed { ids, .. } => ids,
                    QueryFilter::Field { .. } | QueryFilter::Pattern(_) => return None,
                },
            };
            Some((text.clone(), ids))
        };
        self.only.iter().filter_map(list).collect()
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
            if let Some(ids) = self.lists.get(text) {
                return Ok(QueryFilter::Listed { list: text.clone(), ids: ids.clone() });
            }
            let path = file(text);
            Ok(if path.is_file() { read_query_list(&path)? } else { QueryFilter::parse(text)? })
        };
        let sample =
            self.sample.map(|size| QuerySample { size, by: self.sample_by.clone(), seed: Seed(seed) });
        Ok(QueryChoice { filters: self.only.iter().map(filter).collect::<Result<_, _>>()?, sample })
    }
}

/// Returns the value of `--sample-queries`.
pub(crate) fn sample_value(size: usize, by: Option<&str>) -> String {
    by.map_or_else(|| size.to_string(), |field| format!("{size}:{field}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_chooses_the_same_queries() {
        let all = QuerySettings::default();
        assert_eq!(all.command("llull run"), "llull run");
        let some = QuerySettings {
            only: vec!["segment=tail".into(), "de-*".into()],
            sample: Some(8),
            sample_by: Some("the language".into()),
            ..all
        };
        assert_eq!(
            some.command("llull run"),
            "llull run --queries segment=tail --queries 'de-*' --sample-queries '8:the language'"
        );
    }
}
