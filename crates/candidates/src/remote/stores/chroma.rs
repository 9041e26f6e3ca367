//! Chroma: documents by nearness of vectors, API v2.
//!
//! As the server of chromadb 1 describes itself at `/openapi.json`: `collections/{collection_id}/query` below a tenant
//! and a database. The collection's identifier is asked for by its name first.

use llull_http::{Address, KEY, KeyForm};
use serde_json::{Value, json};

use super::super::found::{FoundText, QueryAnswer};
use super::super::placeholders::vector;
use super::super::protocol::{AskedQuery, SearchProtocol, SearchRequest};
use super::super::reply::{Score, found, list, shown};
use super::options::StoreOptions;

pub(super) struct Chroma {
    options: StoreOptions,
    collection: Option<String>,
}

impl Chroma {
    pub(super) fn new(options: StoreOptions) -> Self {
        Self { options, collection: None }
    }

    fn address(&self, collection: &[&str]) -> Address {
        let tenant = self.options.tenant.as_deref().unwrap_or("default_tenant");
        let database = self.options.database.as_deref().unwrap_or("default_database");
        let mut parts = vec!["api", "v2", "tenants", tenant, "databases", database, "collections"];
        parts.extend(collection);
        self.options.address(&parts)
    }

    /// Puts the lists of a query's parts together: an object for each result.
    fn results(reply: &Value, at: usize) -> Result<Vec<Value>, String> {
        let ids = list(reply, &format!("/ids/{at}"))?;
        let part = |name: &str, place: usize| {
            reply.pointer(&format!("/{name}/{at}/{place}")).cloned().unwrap_or(Value::Null)
        };
        let whole = |(place, id): (usize, &Value)| {
            json!({
                "id": id,
                "distance": part("distances", place),
                "document": part("documents", place),
                "metadata": part("metadatas", place),
            })
        };
        Ok(ids.iter().enumerate().map(whole).collect())
    }
}

impl SearchProtocol for Chroma {
    fn key_form(&self) -> KeyForm {
        KeyForm::Header { name: "x-chroma-token".into(), value: KEY.into() }
    }

    fn needs_vectors(&self) -> bool {
        true
    }

    fn batches(&self) -> bool {
        true
    }

    fn opening(&self) -> Result<Option<SearchRequest>, String> {
        Ok(Some(SearchRequest::get(self.address(&[&self.options.collection]))))
    }

    fn opened(&mut self, reply: &Value) -> Result<(), String> {
        let id = reply.get("id").and_then(Value::as_str);
        let missing = || format!("the collection has no identifier at \"/id\": it is {}", shown(reply));
        self.collection = Some(id.ok_or_else(missing)?.to_owned());
        Ok(())
    }

    fn request(&self, queries: &[AskedQuery<'_>]) -> Result<SearchRequest, String> {
        let collection = self.collection.as_deref().ok_or("the collection is not known yet")?;
        let vectors: Vec<Value> = queries.iter().map(vector).collect();
        let k = queries.iter().map(|query| query.k).max().unwrap_or_default();
        let search = json!({
            "query_embeddings": vectors,
            "n_results": k,
            "include": ["documents", "metadatas", "distances"],
        });
        Ok(SearchRequest::post(self.address(&[collection, "query"]), self.options.with_extra(search)))
    }

    /// Distances are 1 - cosine, 1 - dot product or squared lengths, as the collection is set; 1 less each sorts right,
    /// and is the cosine or the dot product in the first two.
    fn read(&self, reply: &Value, _: usize) -> Result<Vec<QueryAnswer>, String> {
        let score = Score::OneLess("/distance".into());
        let mut parts = self.options.parts("/metadata", "/id", Some(score));
        parts.text = Some("/document".into());
        let answer =
            |at: usize| -> Result<Vec<FoundText>, String> { found(&Self::results(reply, at)?, &parts) };
        Ok((0..list(reply, "/ids")?.len()).map(answer).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collection_and_its_answers() {
        let mut chroma = Chroma::new(StoreOptions::test("my docs", true));
        let first = chroma.opening().unwrap().unwrap();
        assert_eq!(
            first.address.path(),
            "/api/v2/tenants/default_tenant/databases/default_database/collections/my%20docs"
        );
        assert!(chroma.opened(&json!({"error": "NotFoundError"})).unwrap_err().contains("NotFoundError"));
        chroma.opened(&json!({"id": "3f0e", "name": "my docs", "dimension": 2})).unwrap();
        let query = AskedQuery { text: "cats", vector: Some(&[0.5, 0.25]), k: 2 };
        let request = chroma.request(&[query, query]).unwrap();
        assert!(request.address.path().ends_with("/collections/3f0e/query"), "{request:?}");
        assert_eq!(request.body[0]["query_embeddings"], json!([[0.5, 0.25], [0.5, 0.25]]));
        let reply = json!({
            "ids": [["a", "b"], []],
            "distances": [[0.25, 0.5], []],
            "documents": [["Cats purr.", null], []],
            "metadatas": [[{"title": "Cats"}, null], []],
            "embeddings": null, "uris": null, "include": ["distances", "documents", "metadatas"],
        });
        let answers = chroma.read(&reply, 2).unwrap();
        let found = answers[0].as_ref().unwrap();
        assert_eq!((found[0].score, found[0].title.as_deref()), (Some(0.75), Some("Cats")));
        assert_eq!((found[1].score, found[1].text.as_deref()), (Some(0.5), None));
        assert_eq!(answers[1].as_ref().unwrap().len(), 0);
    }
}
