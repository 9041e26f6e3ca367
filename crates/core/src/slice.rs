//! Slices: the queries that share a value of a metadata field.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use crate::topic::Topics;

/// The most slices of a field: a table of more is not read, and its comparisons decide nothing.
const MOST: usize = 20;

/// The name of the slice of queries without a value.
const WITHOUT_VALUE: &str = "(none)";

/// The name of the slice of queries that are not among the topics, so that their values are unknown.
const NOT_IN_FILE: &str = "(not in the file of queries)";

/// The queries of one field, by their values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlicedQueries {
    /// The metadata field.
    pub field: String,
    /// The slices, the one with most queries first, those of queries without a value last. Each query is in one.
    pub slices: Vec<QuerySlice>,
}

/// The queries with one value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuerySlice {
    /// The value.
    pub name: String,
    /// The queries.
    pub queries: BTreeSet<String>,
}

/// Why queries have no slices by a field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SliceError {
    /// No query has such a field.
    #[error("no query has a field {field:?}. {}", field_list(.known))]
    UnknownField {
        /// The field.
        field: String,
        /// The fields that exist.
        known: Vec<String>,
    },
    /// The field has too many values.
    #[error(
        "{field:?} has {values} values, and slices can have at most {MOST}. Use another field, or add one that groups \
         these values to the file of queries"
    )]
    TooManyValues {
        /// The field.
        field: String,
        /// The number of its values.
        values: usize,
    },
}

/// Lists the metadata fields that exist, for messages.
pub(crate) fn field_list(known: &[String]) -> String {
    match known {
        [] => "The file of queries has no other field than identifiers and texts".to_owned(),
        known => format!("Fields: {}", known.join(", ")),
    }
}

impl Topics {
    /// Returns these queries by their values of a field. Queries that are not among the topics have
    /// a slice of their own, the last.
    ///
    /// ```
    /// use llull_core::{Topic, Topics};
    ///
    /// let topic = |id: &str| Topic { id: id.into(), text: "shoes".into() };
    /// let mut topics: Topics = ["q1", "q2", "q3"].map(topic).into_iter().collect();
    /// topics.set_metadata("q1", "segment", "tail");
    /// topics.set_metadata("q3", "segment", "tail");
    /// let sliced = topics.sliced("segment", ["q1", "q2", "q3"])?;
    /// let sizes = sliced.slices.iter().map(|slice| (slice.name.as_str(), slice.queries.len()));
    /// assert_eq!(sizes.collect::<Vec<_>>(), [("tail", 2), ("(none)", 1)]);
    /// # Ok::<(), llull_core::SliceError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if no topic has the field, or these queries have more than 20 values of it.
    pub fn sliced<'q>(
        &self,
        field: &str,
        queries: impl IntoIterator<Item = &'q str>,
    ) -> Result<SlicedQueries, SliceError> {
        let field = self.known_field(field)?;
        let mut by_value: IndexMap<&str, BTreeSet<String>> = IndexMap::new();
        for query in queries {
            let value = self.slice_of(query, field);
            by_value.entry(value).or_default().insert(query.to_owned());
        }
        let values = by_value.keys().filter(|value| place_of(value) == 0).count();
        if values > MOST {
            return Err(SliceError::TooManyValues { field: field.to_owned(), values });
        }
        by_value.sort_by_key(|value, queries| (place_of(value), std::cmp::Reverse(queries.len())));
        let slices =
            by_value.into_iter().map(|(name, queries)| QuerySlice { name: name.to_owned(), queries });
        Ok(SlicedQueries { field: field.to_owned(), slices: slices.collect() })
    }

    /// Returns the name of a query's slice.
    pub(crate) fn slice_of(&self, query: &str, field: &str) -> &str {
        match self.get(query) {
            Some(_) => self.metadata(query, field).unwrap_or(WITHOUT_VALUE),
            None => NOT_IN_FILE,
        }
    }

    /// Returns the field of this name.
    ///
    /// # Errors
    /// Returns an error if no topic has it.
    pub(crate) fn known_field<'f>(&self, field: &'f str) -> Result<&'f str, SliceError> {
        match self.fields().any(|known| known == field) {
            true => Ok(field),
            false => Err(SliceError::UnknownField {
                field: field.to_owned(),
                known: self.fields().map(str::to_owned).collect(),
            }),
        }
    }
}

/// The place of a slice: values first, then none, then unknown ones.
fn place_of(name: &str) -> usize {
    [WITHOUT_VALUE, NOT_IN_FILE].iter().position(|special| *special == name).map_or(0, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Topic;

    fn topics(values: &[Option<usize>]) -> Topics {
        let topic = |at: usize| Topic { id: format!("q{at}"), text: String::new() };
        let mut topics: Topics = (0..values.len()).map(topic).collect();
        for (at, value) in values.iter().enumerate() {
            topics.set_metadata(&format!("q{at}"), "other", "x");
            if let Some(value) = value {
                topics.set_metadata(&format!("q{at}"), "value", &value.to_string());
            }
        }
        topics
    }

    #[test]
    fn a_field_of_too_many_values_and_an_unknown_field_are_refused() {
        let topics = topics(&(0..21).map(Some).collect::<Vec<_>>());
        let ids: Vec<String> = topics.iter().map(|topic| topic.id.clone()).collect();
        let error = topics.sliced("value", ids.iter().map(String::as_str)).unwrap_err().to_string();
        assert!(error.starts_with("\"value\" has 21 values, and slices can have at most 20"), "{error}");
        assert_eq!(topics.sliced("value", ids[1..].iter().map(String::as_str)).unwrap().slices.len(), 20);
        let error = topics.sliced("segment", ["q1"]).unwrap_err().to_string();
        assert_eq!(error, "no query has a field \"segment\". Fields: other, value");
        let error = Topics::default().sliced("segment", []).unwrap_err().to_string();
        assert!(error.ends_with("no other field than identifiers and texts"), "{error}");
    }

    #[test]
    fn queries_without_a_value_are_apart_from_those_that_are_not_in_the_file() {
        let topics = topics(&[Some(1), None]);
        let sliced = topics.sliced("value", ["q8", "q9", "q1", "q0"]).unwrap();
        let names: Vec<_> =
            sliced.slices.iter().map(|slice| (slice.name.as_str(), slice.queries.len())).collect();
        assert_eq!(names, [("1", 1), ("(none)", 1), ("(not in the file of queries)", 2)]);
    }

    proptest! {
        #[test]
        fn each_query_is_in_one_slice(values in proptest::collection::vec(proptest::option::of(0usize..6), 1..40)) {
            prop_assume!(values.iter().any(Option::is_some));
            let topics = topics(&values);
            let sliced = topics.sliced("value", topics.iter().map(|topic| topic.id.as_str())).unwrap();
            let all: Vec<&String> = sliced.slices.iter().flat_map(|slice| &slice.queries).collect();
            prop_assert_eq!(all.len(), values.len());
            prop_assert_eq!(all.into_iter().collect::<BTreeSet<_>>().len(), values.len());
            let named: Vec<usize> = sliced.slices.iter().filter(|slice| slice.name != "(none)")
                .map(|slice| slice.queries.len()).collect();
            prop_assert!(named.is_sorted_by(|a, b| a >= b));
        }
    }
}
