//! Typesense: `multi_search`, which takes vectors of any length, unlike an address.
//!
//! <https://typesense.org/docs/latest/api/federated-multi-search.html>, `vector-search` and `search` beside it.

use llull_http::{KEY, KeyForm};
use serde_json::{Value, json};

use super::super::found::{FoundText, QueryAnswer};
use super::super::placeholders::vector;
use super::super::protocol::{AskedQuery, SearchProtocol, SearchRequest};
use super::super::reply::{Score, found, list};
use super::options::StoreOptions;

/// The most hits of a page.
const PAGE: usize = 250;

pub(super) struct Typesense {
    options: StoreOptions,
}

impl Typesense {
    pub(super) fn new(options: StoreOptions) -> Result<Self, String> {
        match (options.by_vectors, options.fields.is_empty(), &options.vector) {
            (false, true, _) => Err("`fields` names what is searched, fields = [\"title\", \"text\"]".into()),
            (true, _, None) => {
                Err("`vector` names the field of vectors that is searched, vector = \"embedding\"".into())
            }
            _ => Ok(Self { options }),
        }
    }

    fn search(&self, query: &AskedQuery<'_>) -> Value {
        let search = match &self.options.vector {
            Some(field) if self.options.by_vectors => {
                json!({"q": "*", "vector_query": format!("{field}:({}, k:{})", vector(query), query.k)})
            }
            _ => json!({"q": query.text, "query_by": self.options.fields.join(",")}),
        };
        let mut search = search;
        if let Some(fields) = search.as_object_mut() {
            fields.insert("collection".into(), self.options.collection.as_str().into());
            fields.insert("per_page".into(), query.k.into());
            let mut wanted = self.options.wanted();
            wanted.push("id");
            fields.insert("include_fields".into(), wanted.join(",").into());
        }
        self.options.with_extra(search)
    }

    fn answer(&self, result: &Value) -> Result<Vec<FoundText>, String> {
        if let Some(error) = result.get("error").and_then(Value::as_str) {
            return Err(error.to_owned());
        }
        // `text_match` is a number of more digits than a score can hold: the order says more.
        let score = self.options.by_vectors.then(|| Score::OneLess("/vector_distance".into()));
        found(list(result, "/hits")?, &self.options.parts("/document", "/document/id", score))
    }
}

impl SearchProtocol for Typesense {
    fn key_form(&self) -> KeyForm {
        KeyForm::Header { name: "x-typesense-api-key".into(), value: KEY.into() }
    }

    fn needs_vectors(&self) -> bool {
        self.options.by_vectors
    }

    fn batches(&self) -> bool {
        true
    }

    fn request(&self, queries: &[AskedQuery<'_>]) -> Result<SearchRequest, String> {
        if let Some(query) = queries.iter().find(|query| query.k > PAGE) {
            return Err(format!(
                "typesense returns {PAGE} results at most, and [retrieve] depth is {}",
                query.k
            ));
        }
        let searches: Vec<Value> = queries.iter().map(|query| self.search(query)).collect();
        Ok(SearchRequest::post(self.options.address(&["multi_search"]), json!({"searches": searches})))
    }

    fn read(&self, reply: &Value, _: usize) -> Result<Vec<QueryAnswer>, String> {
        Ok(list(reply, "/results")?.iter().map(|result| self.answer(result)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query<'a>(k: usize) -> AskedQuery<'a> {
        AskedQuery { text: "cats", vector: Some(&[0.5, 0.25]), k }
    }

    /// In the form of the documentation's reply; a search that fails is a result, too.
    #[test]
    fn words() {
        let mut options = StoreOptions::test("docs", false);
        options.fields = vec!["title".into(), "text".into()];
        let store = Typesense::new(options).unwrap();
        let request = store.request(&[query(2)]).unwrap();
        let expected = json!({"q": "cats", "query_by": "title,text", "collection": "docs", "per_page": 2,
            "include_fields": "title,text,id"});
        assert_eq!((request.address.path(), &request.body[0]["searches"][0]), ("/multi_search", &expected));
        let hit = |id: &str| {
            json!({"document": {"id": id, "text": "Cats purr."}, "highlights": [],
            "text_match": 578730123365711993_u64, "text_match_info": {"best_field_score": "1108091339008"}})
        };
        let reply = json!({"results": [
            {"facet_counts": [], "found": 2, "hits": [hit("b"), hit("a")], "out_of": 9, "page": 1},
            {"code": 404, "error": "Could not find a field named `x` in the schema."}]});
        let answers = store.read(&reply, 2).unwrap();
        let found = answers[0].as_ref().unwrap();
        assert_eq!((&*found[0].doc_id, found[0].score, found[1].score), ("b", None, None));
        assert!(answers[1].as_ref().unwrap_err().contains("Could not find a field"));
        assert!(store.request(&[query(251)]).unwrap_err().contains("250 results at most"));
    }

    #[test]
    fn vectors() {
        let mut options = StoreOptions::test("docs", true);
        options.vector = Some("embedding".into());
        let store = Typesense::new(options).unwrap();
        let search = &store.request(&[query(2)]).unwrap().body[0]["searches"][0];
        assert_eq!(
            (&search["q"], &search["vector_query"]),
            (&json!("*"), &json!("embedding:([0.5,0.25], k:2)"))
        );
        let reply = json!({"results": [{"hits": [{"document": {"id": "a"}, "vector_distance": 0.25}]}]});
        assert_eq!(store.read(&reply, 1).unwrap()[0].as_ref().unwrap()[0].score, Some(0.75));
    }
}
