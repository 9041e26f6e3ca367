//! Queries, which TREC calls topics.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// A query.
///
/// Judges and retrievers get this value. Its metadata stay in [`Topics`], so that no prompt can show them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Topic {
    /// The identifier that runs and qrels use.
    pub id: String,
    /// The text of the query, as the searcher typed it.
    pub text: String,
}

/// Queries by identifier, in the order of the file, and their metadata.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Topics {
    queries: IndexMap<String, Topic>,
    /// By field, the value of each query at its place among the queries. A list ends with the last query that has one.
    metadata: IndexMap<String, Vec<Option<Box<str>>>>,
}

impl Topics {
    /// Adds a query. Returns the previous query with this identifier, if any.
    pub fn insert(&mut self, topic: Topic) -> Option<Topic> {
        self.queries.insert(topic.id.clone(), topic)
    }

    /// Returns the query with this identifier.
    pub fn get(&self, id: &str) -> Option<&Topic> {
        self.queries.get(id)
    }

    /// Returns all queries in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Topic> {
        self.queries.values()
    }

    /// Returns the number of queries.
    pub fn len(&self) -> usize {
        self.queries.len()
    }

    /// Returns whether there are no queries.
    pub fn is_empty(&self) -> bool {
        self.queries.is_empty()
    }

    /// Sets a query's value of a metadata field. A query that is not among these is ignored.
    pub fn set_metadata(&mut self, query: &str, field: &str, value: &str) {
        let Some(place) = self.queries.get_index_of(query) else { return };
        if !self.metadata.contains_key(field) {
            self.metadata.insert(field.to_owned(), Vec::new());
        }
        let Some(values) = self.metadata.get_mut(field) else { return };
        values.resize(values.len().max(place + 1), None);
        if let Some(known) = values.get_mut(place) {
            *known = Some(value.into());
        }
    }

    /// Returns the metadata fields, in the order of the file.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = &str> {
        self.metadata.keys().map(String::as_str)
    }

    /// Returns a query's value of a metadata field; `None` if it has none.
    pub fn metadata(&self, query: &str, field: &str) -> Option<&str> {
        let place = self.queries.get_index_of(query)?;
        self.metadata.get(field)?.get(place)?.as_deref()
    }

    /// Returns the queries that `is_chosen` chooses, with their metadata. All fields stay, also those without a value.
    #[must_use]
    pub fn only(&self, is_chosen: impl Fn(&str) -> bool) -> Self {
        let mut chosen: Self = self.iter().filter(|topic| is_chosen(&topic.id)).cloned().collect();
        chosen.metadata = self.fields().map(|field| (field.to_owned(), Vec::new())).collect();
        for (field, values) in &self.metadata {
            for (topic, value) in self.iter().zip(values) {
                if let Some(value) = value {
                    chosen.set_metadata(&topic.id, field, value);
                }
            }
        }
        chosen
    }
}

impl FromIterator<Topic> for Topics {
    fn from_iter<I: IntoIterator<Item = Topic>>(topics: I) -> Self {
        let queries = topics.into_iter().map(|topic| (topic.id.clone(), topic)).collect();
        Self { queries, metadata: IndexMap::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn topic(id: &str) -> Topic {
        Topic { id: id.into(), text: format!("about {id}") }
    }

    #[test]
    fn metadata_belong_to_their_query() {
        let mut topics: Topics = ["q1", "q2", "q3"].map(topic).into_iter().collect();
        topics.set_metadata("q3", "segment", "tail");
        topics.set_metadata("q1", "language", "de");
        topics.set_metadata("q9", "segment", "head");
        assert_eq!(topics.fields().collect::<Vec<_>>(), ["segment", "language"]);
        assert_eq!(topics.metadata("q3", "segment"), Some("tail"));
        assert_eq!((topics.metadata("q2", "segment"), topics.metadata("q9", "segment")), (None, None));
        let chosen = topics.only(|query| query != "q1");
        assert_eq!(chosen.iter().map(|topic| &*topic.id).collect::<Vec<_>>(), ["q2", "q3"]);
        assert_eq!(chosen.metadata("q3", "segment"), Some("tail"));
        assert_eq!(chosen.fields().collect::<Vec<_>>(), ["segment", "language"]);
    }
}
