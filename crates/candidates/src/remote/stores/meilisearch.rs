//! Meilisearch: `search` of an index, and `multi-search` for several queries.
//!
//! <https://www.meilisearch.com/docs/reference/api/search> and `multi_search` beside it.

use llull_http::KeyForm;
use serde_json::{Value, json};

use super::super::found::QueryAnswer;
use super::super::placeholders::vector;
use super::super::protocol::{AskedQuery, SearchProtocol, SearchRequest};
use super::super::reply::{Score, found, list};
use super::options::StoreOptions;

pub(super) struct Meilisearch {
    options: StoreOptions,
}

impl Meilisearch {
    pub(super) fn new(options: StoreOptions) -> Self {
        Self { options }
    }

    fn search(&self, query: &AskedQuery<'_>) -> Value {
        let mut wanted = self.options.wanted();
        if self.options.id.is_none() && !wanted.contains(&"id") {
            wanted.push("id");
        }
        let mut search = json!({"limit": query.k, "attributesToRetrieve": wanted, "showRankingScore": true});
        if let Some(fields) = search.as_object_mut() {
            if self.options.by_vectors {
                let embedder = self.options.vector.as_deref().unwrap_or("default");
                fields.insert("vector".into(), vector(query));
                fields.insert("hybrid".into(), json!({"embedder": embedder, "semanticRatio": 1.0}));
            } else {
                fields.insert("q".into(), query.text.into());
            }
            if !self.options.fields.is_empty() {
                fields.insert("attributesToSearchOn".into(), self.options.fields.as_slice().into());
            }
        }
        self.options.with_extra(search)
    }
}

impl SearchProtocol for Meilisearch {
    fn key_form(&self) -> KeyForm {
        KeyForm::Bearer
    }

    fn needs_vectors(&self) -> bool {
        self.options.by_vectors
    }

    fn batches(&self) -> bool {
        true
    }

    fn request(&self, queries: &[AskedQuery<'_>]) -> Result<SearchRequest, String> {
        let index = self.options.collection.as_str();
        if let [query] = queries {
            return Ok(SearchRequest::post(
                self.options.address(&["indexes", index, "search"]),
                self.search(query),
            ));
        }
        let several = queries.iter().map(|query| {
            let mut search = self.search(query);
            if let Some(fields) = search.as_object_mut() {
                fields.insert("indexUid".into(), index.into());
            }
            search
        });
        let body = json!({"queries": several.collect::<Vec<_>>()});
        Ok(SearchRequest::post(self.options.address(&["multi-search"]), body))
    }

    fn read(&self, reply: &Value, queries: usize) -> Result<Vec<QueryAnswer>, String> {
        let parts = self.options.parts("", "/id", Some(Score::Higher("/_rankingScore".into())));
        let answer = |result: &Value| found(list(result, "/hits")?, &parts);
        match queries {
            1 => Ok(vec![Ok(answer(reply)?)]),
            _ => Ok(list(reply, "/results")?.iter().map(answer).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In the form of the documentation's replies.
    #[test]
    fn one_query_and_several() {
        let store =
            Meilisearch::new(StoreOptions { id: Some("isbn".into()), ..StoreOptions::test("docs", false) });
        let query = AskedQuery { text: "cats", vector: None, k: 2 };
        let request = store.request(&[query]).unwrap();
        assert_eq!(request.address.path(), "/indexes/docs/search");
        let expected = json!({
            "limit": 2, "attributesToRetrieve": ["title", "text", "isbn"], "showRankingScore": true, "q": "cats"});
        assert_eq!(request.body, [expected]);
        let reply = json!({"hits": [{"isbn": 7, "title": "Cats", "text": "Cats purr.", "_rankingScore": 0.95}],
            "offset": 0, "limit": 2, "estimatedTotalHits": 1, "processingTimeMs": 0, "query": "cats"});
        let found = store.read(&reply, 1).unwrap()[0].clone().unwrap();
        assert_eq!((&*found[0].doc_id, found[0].score), ("7", Some(0.95)));
        let several = store.request(&[query, query]).unwrap();
        assert_eq!(several.address.path(), "/multi-search");
        assert_eq!(several.body[0]["queries"][1]["indexUid"], "docs");
        let answers = store.read(&json!({"results": [reply, {"indexUid": "docs", "hits": []}]}), 2).unwrap();
        assert_eq!(answers.iter().map(|answer| answer.as_ref().unwrap().len()).collect::<Vec<_>>(), [1, 0]);
    }

    #[test]
    fn vectors() {
        let store = Meilisearch::new(StoreOptions::test("docs", true));
        let body =
            &store.request(&[AskedQuery { text: "cats", vector: Some(&[0.5]), k: 2 }]).unwrap().body[0];
        assert_eq!(body["hybrid"], json!({"embedder": "default", "semanticRatio": 1.0}));
        assert_eq!((&body["vector"], body.get("q")), (&json!([0.5]), None));
    }
}
