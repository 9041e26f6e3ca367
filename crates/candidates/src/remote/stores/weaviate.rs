//! Weaviate: `Get` of its GraphQL, by words (`bm25`) or by vectors (`nearVector`).
//!
//! <https://docs.weaviate.io/weaviate/api/graphql/search-operators> and `additional-properties` beside it.

use llull_http::KeyForm;
use serde_json::{Value, json};

use super::super::found::QueryAnswer;
use super::super::placeholders::vector;
use super::super::protocol::{AskedQuery, SearchProtocol, SearchRequest};
use super::super::reply::{Score, found, list};
use super::options::StoreOptions;

pub(super) struct Weaviate {
    options: StoreOptions,
}

impl Weaviate {
    /// Names are written into the query as they are, so they have to be names.
    pub(super) fn new(options: StoreOptions) -> Result<Self, String> {
        if !options.extra.is_empty() {
            return Err(
                "weaviate has no `extra`: it is asked in GraphQL; write an [systems.http] template".into()
            );
        }
        let named = [&options.collection, &options.title, &options.text].into_iter();
        let named = named.chain(&options.fields).chain(&options.id).chain(&options.vector);
        for name in named {
            // A field may have a weight, as in "title^2".
            let bare = name.split('^').next().unwrap_or_default();
            let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
            if bare.is_empty() || !bare.chars().all(letter) || bare.starts_with(|c: char| c.is_ascii_digit())
            {
                return Err(format!("{name:?} cannot be a name in Weaviate's schema"));
            }
        }
        Ok(Self { options })
    }

    fn query(&self, query: &AskedQuery<'_>) -> String {
        let StoreOptions { collection, fields, vector: target, tenant, .. } = &self.options;
        // A JSON text is a text of GraphQL.
        let text = |text: &str| Value::from(text).to_string();
        let mut search = match self.options.by_vectors {
            true => {
                let targets = target
                    .as_ref()
                    .map_or_else(String::new, |name| format!(", targetVectors: [{}]", text(name)));
                format!("nearVector: {{vector: {}{targets}}}", vector(query))
            }
            false if fields.is_empty() => format!("bm25: {{query: {}}}", text(query.text)),
            false => {
                let fields: Vec<String> = fields.iter().map(|field| text(field)).collect();
                format!("bm25: {{query: {}, properties: [{}]}}", text(query.text), fields.join(", "))
            }
        };
        if let Some(tenant) = tenant {
            search.push_str(&format!(", tenant: {}", text(tenant)));
        }
        let nearness = if self.options.by_vectors { "distance" } else { "score" };
        let wanted = self.options.wanted().join(" ");
        format!(
            "{{Get {{{collection}({search}, limit: {}) {{{wanted} _additional {{id {nearness}}}}}}}}}",
            query.k
        )
    }
}

impl SearchProtocol for Weaviate {
    fn key_form(&self) -> KeyForm {
        KeyForm::Bearer
    }

    fn needs_vectors(&self) -> bool {
        self.options.by_vectors
    }

    fn request(&self, queries: &[AskedQuery<'_>]) -> Result<SearchRequest, String> {
        let query = queries.first().ok_or("there is no query")?;
        let body = json!({"query": self.query(query)});
        Ok(SearchRequest::post(self.options.address(&["v1", "graphql"]), body))
    }

    /// GraphQL says what is wrong with 200.
    fn read(&self, reply: &Value, _: usize) -> Result<Vec<QueryAnswer>, String> {
        if let Some(said) = reply.pointer("/errors/0/message").and_then(Value::as_str) {
            return Err(said.to_owned());
        }
        let score = match self.options.by_vectors {
            true => Score::OneLess("/_additional/distance".into()),
            false => Score::Higher("/_additional/score".into()),
        };
        let parts = self.options.parts("", "/_additional/id", Some(score));
        let results = list(reply, &format!("/data/Get/{}", self.options.collection))?;
        Ok(vec![Ok(found(results, &parts)?)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(options: StoreOptions) -> String {
        let query = AskedQuery { text: "\"cats\"}\n", vector: Some(&[0.5]), k: 2 };
        let request = Weaviate::new(options).unwrap().request(&[query]).unwrap();
        assert_eq!(request.address.to_string(), "http://localhost:1/v1/graphql");
        request.body[0]["query"].as_str().unwrap().to_owned()
    }

    #[test]
    fn words_and_vectors() {
        let mut words = StoreOptions::test("Article", false);
        words.fields = vec!["title^2".into()];
        assert_eq!(
            sent(words),
            "{Get {Article(bm25: {query: \"\\\"cats\\\"}\\n\", properties: [\"title^2\"]}, limit: 2) \
             {title text _additional {id score}}}}"
        );
        let mut vectors = StoreOptions::test("Article", true);
        vectors.tenant = Some("t1".into());
        assert_eq!(
            sent(vectors),
            "{Get {Article(nearVector: {vector: [0.5]}, tenant: \"t1\", limit: 2) \
             {title text _additional {id distance}}}}"
        );
    }

    /// In the form of the documentation's replies; a score is a text there.
    #[test]
    fn replies() {
        let reply = |additional: Value| {
            json!(
                {"data": {"Get": {"Article": [{"title": "Cats", "text": "Cats purr.", "_additional": additional}]}}}
            )
        };
        let read = |by_vectors: bool, reply: Value| {
            let store = Weaviate::new(StoreOptions::test("Article", by_vectors)).unwrap();
            store.read(&reply, 1).map(|mut answers| answers.remove(0).unwrap().remove(0))
        };
        let id = "a2ae0c6c-ea2b-5ed0-9cd7-e36c1c9f1a57";
        let found = read(false, reply(json!({"id": id, "score": "0.84"}))).unwrap();
        assert_eq!(
            (&*found.doc_id, found.score, found.text.as_deref()),
            (id, Some(0.84), Some("Cats purr."))
        );
        assert_eq!(read(true, reply(json!({"id": id, "distance": 0.25}))).unwrap().score, Some(0.75));
        let wrong = json!(
            {"data": {"Get": {"Article": null}}, "errors": [{"message": "no such prop", "path": ["Get"]}]}
        );
        assert_eq!(read(false, wrong).unwrap_err(), "no such prop");
    }
}
