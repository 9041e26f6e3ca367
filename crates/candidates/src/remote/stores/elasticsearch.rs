//! Elasticsearch and OpenSearch: `_search`, and `_msearch` for several queries.
//!
//! <https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-search> and `operation-msearch`;
//! <https://docs.opensearch.org/latest/api-reference/search-apis/search/> and its k-NN query.

use llull_http::{KEY, KeyForm};
use serde_json::{Value, json};

use super::super::found::{FoundText, QueryAnswer};
use super::super::placeholders::vector;
use super::super::protocol::{AskedQuery, SearchProtocol, SearchRequest};
use super::super::reply::{Score, found, list};
use super::options::StoreOptions;

/// How many candidates of each shard are looked at for a nearest neighbour, at least and at most.
const CANDIDATES: (usize, usize) = (100, 10_000);

/// Which of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flavour {
    Elasticsearch,
    OpenSearch,
}

pub(super) struct Elasticsearch {
    flavour: Flavour,
    options: StoreOptions,
}

impl Elasticsearch {
    pub(super) fn new(flavour: Flavour, options: StoreOptions) -> Result<Self, String> {
        if options.by_vectors && options.vector.is_none() {
            return Err("`vector` names the field of vectors that is searched, vector = \"embedding\"".into());
        }
        Ok(Self { flavour, options })
    }

    fn search(&self, query: &AskedQuery<'_>) -> Value {
        let mut search = match (&self.options.vector, self.flavour) {
            (Some(field), Flavour::Elasticsearch) => {
                let (least, most) = CANDIDATES;
                let candidates = query.k.saturating_mul(2).clamp(least, most);
                json!({"knn": {
                    "field": field, "query_vector": vector(query), "k": query.k, "num_candidates": candidates,
                }})
            }
            (Some(field), Flavour::OpenSearch) => {
                json!({"query": {"knn": {field: {"vector": vector(query), "k": query.k}}}})
            }
            (None, _) => self.by_words(query.text),
        };
        if let Some(fields) = search.as_object_mut() {
            fields.insert("size".into(), query.k.into());
            fields.insert("_source".into(), self.options.wanted().into());
        }
        self.options.with_extra(search)
    }

    fn by_words(&self, text: &str) -> Value {
        match self.options.fields.as_slice() {
            [] => json!({"query": {"match": {&*self.options.text: {"query": text}}}}),
            [field] if !field.contains(['^', '*']) => json!({"query": {"match": {field: {"query": text}}}}),
            fields => json!({"query": {"multi_match": {"query": text, "fields": fields}}}),
        }
    }

    /// What a part of the shards found, or all of them in too little time, is not what the system finds.
    fn answer(&self, reply: &Value) -> Result<Vec<FoundText>, String> {
        if let Some(error) = reply.get("error") {
            let reason =
                ["/root_cause/0/reason", "/reason"].into_iter().find_map(|at| error.pointer(at)?.as_str());
            return Err(reason.map_or_else(|| error.to_string(), str::to_owned));
        }
        if reply.get("timed_out") == Some(&Value::Bool(true)) {
            return Err("it timed out, and has a part of the results".into());
        }
        if let Some(failed) =
            reply.pointer("/_shards/failed").and_then(Value::as_u64).filter(|failed| *failed > 0)
        {
            let why = reply.pointer("/_shards/failures/0/reason/reason").and_then(Value::as_str);
            let why = why.map_or_else(String::new, |why| format!(": {why}"));
            return Err(format!("{failed} of its shards failed, so it has a part of the results{why}"));
        }
        let parts = self.options.parts("/_source", "/_id", Some(Score::Higher("/_score".into())));
        found(list(reply, "/hits/hits")?, &parts)
    }
}

impl SearchProtocol for Elasticsearch {
    fn key_form(&self) -> KeyForm {
        let scheme = match self.flavour {
            Flavour::Elasticsearch => "ApiKey",
            Flavour::OpenSearch => "Bearer",
        };
        KeyForm::Basic { otherwise: format!("{scheme} {KEY}") }
    }

    fn needs_vectors(&self) -> bool {
        self.options.by_vectors
    }

    fn batches(&self) -> bool {
        true
    }

    fn request(&self, queries: &[AskedQuery<'_>]) -> Result<SearchRequest, String> {
        let index = self.options.collection.as_str();
        Ok(match queries {
            [query] => SearchRequest::post(self.options.address(&[index, "_search"]), self.search(query)),
            queries => SearchRequest {
                body: queries.iter().flat_map(|query| [json!({}), self.search(query)]).collect(),
                lines: true,
                ..SearchRequest::post(self.options.address(&[index, "_msearch"]), Value::Null)
            },
        })
    }

    fn read(&self, reply: &Value, queries: usize) -> Result<Vec<QueryAnswer>, String> {
        match queries {
            1 => Ok(vec![self.answer(reply)]),
            _ => Ok(list(reply, "/responses")?.iter().map(|reply| self.answer(reply)).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query<'a>() -> AskedQuery<'a> {
        AskedQuery { text: "cats", vector: Some(&[0.5]), k: 2 }
    }

    fn elasticsearch(options: StoreOptions) -> Elasticsearch {
        Elasticsearch::new(Flavour::Elasticsearch, options).unwrap()
    }

    fn reply() -> Value {
        // In the form of the documentation's example of `_search`.
        json!({"took": 5, "timed_out": false,
        "_shards": {"total": 1, "successful": 1, "skipped": 0, "failed": 0},
        "hits": {"total": {"value": 2, "relation": "eq"}, "max_score": 1.3862942, "hits": [
            {"_index": "docs", "_id": "0", "_score": 1.3862942, "_source": {"text": "Cats purr.", "title": "Cats"}},
            {"_index": "docs", "_id": "1", "_score": 0.5, "_source": {}},
        ]}})
    }

    #[test]
    fn words_and_hits() {
        let store = elasticsearch(StoreOptions::test("docs", false));
        let request = store.request(&[query()]).unwrap();
        assert_eq!(request.address.to_string(), "http://localhost:1/docs/_search");
        let expected =
            json!({"query": {"match": {"text": {"query": "cats"}}}, "size": 2, "_source": ["title", "text"]});
        assert_eq!(request.body, [expected]);
        let answers = store.read(&reply(), 1).unwrap();
        let found = answers[0].as_ref().unwrap();
        assert_eq!(
            (&*found[0].doc_id, found[0].score, found[0].title.as_deref()),
            ("0", Some(1.3862942), Some("Cats"))
        );
        let mut several = StoreOptions::test("docs", false);
        several.fields = vec!["title^2".into(), "text".into()];
        let body = &elasticsearch(several).request(&[query()]).unwrap().body[0];
        assert_eq!(body["query"], json!({"multi_match": {"query": "cats", "fields": ["title^2", "text"]}}));
    }

    #[test]
    fn vectors() {
        let mut options = StoreOptions::test("docs", true);
        options.vector = Some("embedding".into());
        let knn = &elasticsearch(options.clone()).request(&[query()]).unwrap().body[0]["knn"];
        assert_eq!(*knn, json!({"field": "embedding", "query_vector": [0.5], "k": 2, "num_candidates": 100}));
        let opensearch = Elasticsearch::new(Flavour::OpenSearch, options).unwrap();
        let body = &opensearch.request(&[query()]).unwrap().body[0];
        assert_eq!(body["query"], json!({"knn": {"embedding": {"vector": [0.5], "k": 2}}}));
    }

    /// One query of `_msearch` that fails loses that query.
    #[test]
    fn several_queries() {
        let store = elasticsearch(StoreOptions::test("docs", false));
        let request = store.request(&[query(), query()]).unwrap();
        assert!(request.lines && request.body.len() == 4 && request.body[2] == json!({}), "{request:?}");
        let cause = json!({"type": "query_shard_exception", "reason": "failed to create query"});
        let error = json!(
            {"error": {"root_cause": [cause], "type": "search_phase_execution_exception"}, "status": 400}
        );
        let answers = store.read(&json!({"took": 3, "responses": [reply(), error]}), 2).unwrap();
        assert_eq!(answers[0].as_ref().unwrap().len(), 2);
        assert_eq!(answers[1], Err("failed to create query".to_owned()));
    }

    #[test]
    fn a_part_of_the_results_is_no_answer() {
        let store = elasticsearch(StoreOptions::test("docs", false));
        let mut late = reply();
        late["timed_out"] = true.into();
        assert!(store.read(&late, 1).unwrap()[0].as_ref().unwrap_err().contains("it timed out"));
        let mut broken = reply();
        broken["_shards"] =
            json!({"total": 2, "failed": 1, "failures": [{"reason": {"reason": "too many clauses"}}]});
        let said = store.read(&broken, 1).unwrap()[0].clone().unwrap_err();
        assert_eq!(said, "1 of its shards failed, so it has a part of the results: too many clauses");
    }
}
