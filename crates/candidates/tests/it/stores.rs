//! Compares requests to and replies of known stores with recorded examples.
//!
//! `tests/stores` has one file for each store. Replies have the form of the store's own documentation. An example has
//! the names of `llull.toml` (`options`), the texts of queries (`queries`; the vector of each is [0.5, 0.25]), the
//! number of results (`k`), the reply to the request that comes first (`opening_reply`) and to the search (`reply`).
//! `expected` is the result of llull.
use std::path::Path;

use llull_candidates::remote::{AskedQuery, SearchProtocol, SearchRequest, StoreKind, StoreOptions};
use llull_http::{Address, HttpMethod, KeyForm};
use serde::Deserialize;
use serde_json::{Map, Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Example {
    what: String,
    options: Options,
    #[serde(default = "cats")]
    queries: Vec<String>,
    #[serde(default = "two")]
    k: usize,
    opening_reply: Option<Value>,
    reply: Option<Value>,
    expected: Value,
}

#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Options {
    collection: Option<String>,
    by_vectors: bool,
    vector: Option<String>,
    fields: Vec<String>,
    id: Option<String>,
    title: Option<String>,
    text: Option<String>,
    metric: Option<String>,
    tenant: Option<String>,
    database: Option<String>,
    extra: Map<String, Value>,
}

fn cats() -> Vec<String> {
    vec!["cats".into()]
}

fn two() -> usize {
    2
}

impl Example {
    fn protocol(&self, kind: StoreKind) -> Result<Box<dyn SearchProtocol>, String> {
        let given = self.options.clone();
        let url = Address::parse("http://localhost:1/").unwrap();
        let usual = StoreOptions::new(url, given.collection.unwrap_or_else(|| "docs".into()));
        kind.protocol(StoreOptions {
            by_vectors: given.by_vectors,
            vector: given.vector,
            fields: given.fields,
            id: given.id,
            title: given.title.unwrap_or(usual.title),
            text: given.text.unwrap_or(usual.text),
            metric: given.metric,
            tenant: given.tenant,
            database: given.database,
            extra: given.extra,
            ..usual
        })
    }

    /// Returns the requests, and the answers in the replies, up to the first error.
    fn made(&self, kind: StoreKind) -> Value {
        let mut made = Map::new();
        if let Err(error) = self.make(kind, &mut made) {
            made.insert("error".into(), error.into());
        }
        Value::Object(made)
    }

    fn make(&self, kind: StoreKind, made: &mut Map<String, Value>) -> Result<(), String> {
        let mut protocol = self.protocol(kind)?;
        made.insert("key".into(), key(&protocol.key_form()).into());
        assert_eq!(protocol.needs_vectors(), self.options.by_vectors);
        if let Some(request) = protocol.opening()? {
            made.insert("opening".into(), shown(&request));
        }
        if let Some(reply) = &self.opening_reply {
            protocol.opened(reply)?;
        }
        let query = |text| AskedQuery { text, vector: Some(&[0.5, 0.25]), k: self.k };
        let queries: Vec<AskedQuery<'_>> = self.queries.iter().map(|text| query(text)).collect();
        assert!(queries.len() == 1 || protocol.batches());
        made.insert("request".into(), shown(&protocol.request(&queries)?));
        let Some(reply) = &self.reply else { return Ok(()) };
        let answers = protocol.read(reply, queries.len())?.into_iter();
        let answers = answers.map(|answer| answer.map_or_else(Value::from, |found| json!(found)));
        made.insert("answers".into(), answers.collect());
        Ok(())
    }
}

fn key(form: &KeyForm) -> String {
    match form {
        KeyForm::Bearer => "Authorization: Bearer {key}".into(),
        KeyForm::Header { name, value } => format!("{name}: {value}"),
        KeyForm::Basic { otherwise } => format!("Authorization: Basic, or {otherwise}"),
    }
}

fn shown(request: &SearchRequest) -> Value {
    let address = request.address.to_string();
    let path = address.strip_prefix("http://localhost:1").unwrap_or(&address);
    match (request.method, request.lines, request.body.as_slice()) {
        (HttpMethod::Get, false, []) => json!({"GET": path}),
        (HttpMethod::Post, false, [body]) => json!({"POST": path, "body": body}),
        (HttpMethod::Post, true, lines) => json!({"POST": path, "lines": lines}),
        _ => panic!("{request:?}"),
    }
}

#[test]
fn requests_and_replies_of_every_store() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stores");
    for &kind in StoreKind::ALL {
        let text = fs_err::read_to_string(folder.join(format!("{}.json", kind.name()))).unwrap();
        let examples: Vec<Example> = serde_json::from_str(&text).unwrap();
        for example in examples {
            let made = example.made(kind);
            assert_eq!(made, example.expected, "{}, {}: {made}", kind.name(), example.what);
        }
    }
}
