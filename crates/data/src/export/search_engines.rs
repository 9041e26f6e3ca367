//! Labels as requests of Elasticsearch and OpenSearch.

use std::io::Write;

use llull_core::Grade;
use serde_json::{Value, json};

use crate::DataError;
use crate::trec::output;

/// A query with the grades of its documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RatedQuery<'a> {
    /// The identifier.
    pub id: &'a str,
    /// The text.
    pub text: &'a str,
    /// The documents with their grades.
    pub ratings: Vec<(&'a str, Grade)>,
}

/// The parts of a `_rank_eval` request that labels do not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankEval<'a> {
    /// The index with the documents.
    pub index: &'a str,
    /// The fields in which the query is searched.
    pub fields: &'a [String],
    /// How many documents of each query count.
    pub cutoff: usize,
}

/// Writes the body of a `POST INDEX/_rank_eval` request of Elasticsearch or OpenSearch: the nDCG of a `multi_match`
/// search in the fields.
///
/// The form is that of Elasticsearch 8's "Ranking evaluation API".
///
/// # Errors
/// Returns an error if `out` fails.
pub fn write_rank_eval(
    queries: &[RatedQuery<'_>],
    settings: &RankEval<'_>,
    out: &mut dyn Write,
) -> Result<(), DataError> {
    let index = settings.index;
    let request = |query: &RatedQuery<'_>| {
        let rating =
            |(document, grade): &(&str, Grade)| json!({"_index": index, "_id": document, "rating": grade});
        json!({
            "id": query.id,
            "request": {"query": {"multi_match": {"query": query.text, "fields": settings.fields}}},
            "ratings": query.ratings.iter().map(rating).collect::<Vec<_>>(),
        })
    };
    let metric = json!({"dcg": {"k": settings.cutoff, "normalize": true}});
    pretty(&json!({"requests": queries.iter().map(request).collect::<Vec<_>>(), "metric": metric}), out)
}

/// Writes the body of a `PUT _plugins/_search_relevance/judgments` request, which imports judgments into OpenSearch's
/// Search Relevance Workbench, under this name. Ratings are texts there.
///
/// The form is that of OpenSearch 3's "Importing judgments".
///
/// # Errors
/// Returns an error if `out` fails.
pub fn write_opensearch_judgments(
    queries: &[RatedQuery<'_>],
    name: &str,
    out: &mut dyn Write,
) -> Result<(), DataError> {
    let judgments = |query: &RatedQuery<'_>| {
        let rating =
            |(document, grade): &(&str, Grade)| json!({"docId": document, "rating": grade.to_string()});
        json!({"query": query.text, "ratings": query.ratings.iter().map(rating).collect::<Vec<_>>()})
    };
    let body = json!({
        "name": name,
        "description": "Judgments of llull",
        "type": "IMPORT_JUDGMENT",
        "judgmentRatings": queries.iter().map(judgments).collect::<Vec<_>>(),
    });
    pretty(&body, out)
}

fn pretty(body: &Value, out: &mut dyn Write) -> Result<(), DataError> {
    serde_json::to_writer_pretty(&mut *out, body).map_err(|error| output(error.into()))?;
    out.write_all(b"\n").map_err(output)?;
    out.flush().map_err(output)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queries() -> Vec<RatedQuery<'static>> {
        vec![
            RatedQuery { id: "q1", text: "red \"dress\"", ratings: vec![("d1", 3), ("d2", 0)] },
            RatedQuery { id: "q2", text: "shoes", ratings: vec![("d1", 1)] },
        ]
    }

    fn read(write: impl FnOnce(&mut Vec<u8>) -> Result<(), DataError>) -> Value {
        let mut bytes = Vec::new();
        write(&mut bytes).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    #[test]
    fn a_request_has_the_ratings_of_each_query() {
        let fields = ["title^2".to_owned(), "text".to_owned()];
        let settings = RankEval { index: "docs", fields: &fields, cutoff: 10 };
        let body = read(|out| write_rank_eval(&queries(), &settings, out));
        assert_eq!(body["metric"], json!({"dcg": {"k": 10, "normalize": true}}));
        let first = json!({
            "id": "q1",
            "request": {"query": {"multi_match": {"query": "red \"dress\"", "fields": ["title^2", "text"]}}},
            "ratings": [
                {"_index": "docs", "_id": "d1", "rating": 3},
                {"_index": "docs", "_id": "d2", "rating": 0},
            ],
        });
        assert_eq!(body["requests"][0], first);
        assert_eq!(body["requests"].as_array().unwrap().len(), 2);
    }

    /// As in the example of OpenSearch's documentation, `_search-plugins/search-relevance/judgments.md`.
    #[test]
    fn judgments_are_by_the_text_of_the_query() {
        let body = read(|out| write_opensearch_judgments(&queries(), "spring", out));
        let expected = json!({
            "name": "spring",
            "description": "Judgments of llull",
            "type": "IMPORT_JUDGMENT",
            "judgmentRatings": [
                {"query": "red \"dress\"", "ratings": [
                    {"docId": "d1", "rating": "3"}, {"docId": "d2", "rating": "0"},
                ]},
                {"query": "shoes", "ratings": [{"docId": "d1", "rating": "1"}]},
            ],
        });
        assert_eq!(body, expected);
    }
}
