//! Labels by the texts of queries, as search engines and Quepid import them.

use std::collections::BTreeSet;

use llull_core::{Qrels, Topics};
use llull_data::{ColumnKind, Entry, RatedQuery, RowTable};

/// Labels with the texts of their queries.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ratings<'a> {
    /// The queries with their ratings, in the order of the labels.
    pub queries: Vec<RatedQuery<'a>>,
    /// The queries with labels that have no text, and so no ratings.
    pub without_text: Vec<&'a str>,
    /// The queries whose text is also that of a query before them: a tool that knows queries by their text takes both
    /// for one.
    pub same_text: Vec<&'a str>,
}

/// Returns labels with the texts of their queries.
pub fn ratings<'a>(labels: &'a Qrels, topics: &'a Topics) -> Ratings<'a> {
    let mut found = Ratings::default();
    let mut texts = BTreeSet::new();
    for (id, documents) in labels.iter() {
        let Some(topic) = topics.get(id) else {
            found.without_text.push(id);
            continue;
        };
        if !texts.insert(topic.text.as_str()) {
            found.same_text.push(id);
        }
        let ratings = documents.iter().map(|(document, grade)| (document, *grade)).collect();
        found.queries.push(RatedQuery { id, text: &topic.text, ratings });
    }
    found
}

/// Returns ratings as rows of Quepid's import: `query`, which is its text, `docid` and `rating`.
///
/// The header is that of Quepid's dialog "Import ratings" (CSV).
pub fn quepid_rows<'a>(ratings: &'a Ratings<'a>) -> RowTable<'a> {
    let columns =
        vec![("query", ColumnKind::Text), ("docid", ColumnKind::Text), ("rating", ColumnKind::Whole)];
    let rows = ratings.queries.iter().flat_map(|query| {
        query.ratings.iter().map(move |(document, grade)| {
            vec![Entry::text(query.text), Entry::text(*document), Entry::Whole(i64::from(*grade))]
        })
    });
    RowTable::new(columns, rows)
}

#[cfg(test)]
mod tests {
    use llull_core::Topic;

    use super::super::csv;
    use super::*;

    #[test]
    fn queries_go_by_their_texts() {
        let mut labels = Qrels::default();
        for (query, document, grade) in [("q1", "d1", 3), ("q1", "d2", 0), ("q2", "d1", 1), ("q3", "d3", 2)] {
            labels.insert(query, document, grade);
        }
        let mut topics = Topics::default();
        for (id, text) in [("q1", "star wars"), ("q3", "star wars")] {
            topics.insert(Topic { id: id.into(), text: text.into() });
        }
        let found = ratings(&labels, &topics);
        assert_eq!((found.without_text.as_slice(), found.same_text.as_slice()), (&["q2"][..], &["q3"][..]));
        let text = "query,docid,rating\nstar wars,d1,3\nstar wars,d2,0\nstar wars,d3,2\n";
        assert_eq!(csv(quepid_rows(&found)), text);
    }
}
