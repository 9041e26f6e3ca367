//! Vespa: its search API, by words (`userQuery`) or by vectors (`nearestNeighbor`).
//!
//! <https://docs.vespa.ai/en/reference/query-api-reference.html>, `default-result-format` and `nearest-neighbor-search`.

use llull_http::KeyForm;
use serde_json::{Value, json};

use super::super::found::{FoundText, QueryAnswer};
use super::super::placeholders::vector;
use super::super::protocol::{AskedQuery, SearchProtocol, SearchRequest};
use super::super::reply::{Score, found, list};
use super::options::StoreOptions;

pub(super) struct Vespa {
    options: StoreOptions,
}

impl Vespa {
    /// Names are written into YQL as they are, so they have to be names.
    pub(super) fn new(options: StoreOptions) -> Result<Self, String> {
        if options.by_vectors && options.vector.is_none() {
            return Err("`vector` names the field of vectors that is searched, vector = \"embedding\"".into());
        }
        let letter = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        for name in [&options.collection].into_iter().chain(&options.vector) {
            if name.is_empty() || !name.chars().all(letter) {
                return Err(format!("{name:?} cannot be a name in a schema of Vespa"));
            }
        }
        Ok(Self { options })
    }
}

impl SearchProtocol for Vespa {
    fn key_form(&self) -> KeyForm {
        KeyForm::Bearer
    }

    fn needs_vectors(&self) -> bool {
        self.options.by_vectors
    }

    fn request(&self, queries: &[AskedQuery<'_>]) -> Result<SearchRequest, String> {
        let query = queries.first().ok_or("there is no query")?;
        let schema = &self.options.collection;
        let search = match &self.options.vector {
            Some(field) => json!({
                "yql": format!(
                    "select * from sources {schema} where {{targetHits: {}}}nearestNeighbor({field}, q)", query.k
                ),
                "input.query(q)": vector(query),
                "hits": query.k,
            }),
            None => json!({
                "yql": format!("select * from sources {schema} where userQuery()"),
                "query": query.text,
                "type": "weakAnd",
                "hits": query.k,
            }),
        };
        Ok(SearchRequest::post(self.options.address(&["search", ""]), self.options.with_extra(search)))
    }

    /// A part of the corpus is not what the system finds. Where nothing is found there are no `children`.
    fn read(&self, reply: &Value, _: usize) -> Result<Vec<QueryAnswer>, String> {
        let root = &reply["root"];
        let error = root.pointer("/errors/0");
        if let Some(said) = error.and_then(|error| error.get("message").or(error.get("summary"))?.as_str()) {
            return Err(said.to_owned());
        }
        if root.pointer("/coverage/full") == Some(&Value::Bool(false)) {
            let share =
                root.pointer("/coverage/coverage").map_or_else(|| "a part".into(), |at| format!("{at}%"));
            return Err(format!("it searched {share} of the documents only"));
        }
        let hits = match root.get("children") {
            None if root.pointer("/fields/totalCount").is_some() => &[],
            _ => list(root, "/children")?,
        };
        let parts = self.options.parts("/fields", "/id", Some(Score::Higher("/relevance".into())));
        let own_id = self.options.id.is_none();
        let bare = |found: FoundText| match own_id {
            true => FoundText { doc_id: user_part(&found.doc_id).to_owned(), ..found },
            false => found,
        };
        Ok(vec![Ok(found(hits, &parts)?.into_iter().map(bare).collect())])
    }
}

/// Returns the part of a document's identifier that its owner chose: `id:namespace:type::THIS`.
fn user_part(id: &str) -> &str {
    match id.strip_prefix("id:") {
        Some(rest) => rest.splitn(4, ':').nth(3).unwrap_or(id),
        None => id,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In the form of the documentation's result.
    #[test]
    fn words() {
        let vespa = Vespa::new(StoreOptions::test("music", false)).unwrap();
        let request = vespa.request(&[AskedQuery { text: "cats", vector: None, k: 2 }]).unwrap();
        assert_eq!(request.address.path(), "/search/");
        let yql = "select * from sources music where userQuery()";
        assert_eq!(request.body, [json!({"yql": yql, "query": "cats", "type": "weakAnd", "hits": 2})]);
        let reply = json!({"root": {"id": "toplevel", "relevance": 1.0, "fields": {"totalCount": 1},
            "coverage": {"coverage": 100, "documents": 8, "full": true, "nodes": 1, "results": 1, "resultsFull": 1},
            "children": [{"id": "id:mynamespace:music::a-head:full", "relevance": 0.38, "source": "music",
                "fields": {"sddocname": "music", "title": "A Head", "text": "Cats purr."}}]}});
        let found = vespa.read(&reply, 1).unwrap()[0].clone().unwrap();
        assert_eq!((&*found[0].doc_id, found[0].score), ("a-head:full", Some(0.38)));
        let none = json!({"root": {"id": "toplevel", "relevance": 1.0, "fields": {"totalCount": 0}}});
        assert_eq!(vespa.read(&none, 1).unwrap()[0].as_ref().unwrap().len(), 0);
        let half = json!({"root": {"coverage": {"coverage": 50, "full": false}, "children": []}});
        assert_eq!(vespa.read(&half, 1).unwrap_err(), "it searched 50% of the documents only");
        let wrong = json!(
            {"root": {"errors": [{"code": 4, "summary": "Invalid query parameter", "message": "no field"}]}}
        );
        assert_eq!(vespa.read(&wrong, 1).unwrap_err(), "no field");
    }

    #[test]
    fn vectors() {
        let mut options = StoreOptions::test("music", true);
        options.vector = Some("embedding".into());
        options.extra.insert("ranking".into(), "near".into());
        let vespa = Vespa::new(options).unwrap();
        let body =
            &vespa.request(&[AskedQuery { text: "cats", vector: Some(&[0.5]), k: 2 }]).unwrap().body[0];
        assert_eq!(
            body["yql"],
            "select * from sources music where {targetHits: 2}nearestNeighbor(embedding, q)"
        );
        assert_eq!((&body["input.query(q)"], &body["ranking"]), (&json!([0.5]), &json!("near")));
    }
}
