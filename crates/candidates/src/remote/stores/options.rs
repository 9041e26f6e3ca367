//! What a study says about a server that is known.

use llull_http::Address;
use serde_json::{Map, Value};

use super::super::placeholders::percent_encoded;
use super::super::reply::{Parts, Score, pointer};

/// What a study says about a server that is known, in the words of `llull.toml`.
#[derive(Debug, Clone, PartialEq)]
pub struct StoreOptions {
    /// The server's address, with the path below which it answers, if it has one.
    pub url: Address,
    /// What is searched: a collection, an index, a class, a schema.
    pub collection: String,
    /// Whether queries are sent as vectors, and not as words.
    pub by_vectors: bool,
    /// The field of vectors that is searched, where there may be several.
    pub vector: Option<String>,
    /// The fields that are searched by words.
    pub fields: Vec<String>,
    /// The field with the document's identifier; the server's own by default.
    pub id: Option<String>,
    /// The field with the title.
    pub title: String,
    /// The field with the text.
    pub text: String,
    /// What nearness is, where the server does not say: `cosine`, `ip` or `l2`.
    pub metric: Option<String>,
    /// The tenant.
    pub tenant: Option<String>,
    /// The database.
    pub database: Option<String>,
    /// Fields that are added to every search.
    pub extra: Map<String, Value>,
}

impl StoreOptions {
    /// Returns an address below the server's, of these parts, each of which is one word of the path.
    pub(super) fn address(&self, parts: &[&str]) -> Address {
        let base = self.url.path().trim_end_matches('/');
        let path: String = parts.iter().map(|part| format!("/{}", percent_encoded(part))).collect();
        self.url.with_path(&format!("{base}{path}"))
    }

    /// Returns a search with the fields that the study adds.
    pub(super) fn with_extra(&self, search: Value) -> Value {
        match search {
            Value::Object(mut fields) => {
                fields.extend(self.extra.clone());
                Value::Object(fields)
            }
            other => other,
        }
    }

    /// Returns where the parts of a result are: fields below `below`, an identifier at `own_id` unless a field has it.
    pub(super) fn parts(&self, below: &str, own_id: &str, score: Option<Score>) -> Parts {
        let at = |field: &str| format!("{below}{}", pointer(field));
        Parts {
            id: self.id.as_deref().map_or_else(|| own_id.to_owned(), at),
            score,
            title: Some(at(&self.title)),
            text: Some(at(&self.text)),
        }
    }

    /// Returns the fields that a result needs: their first names, where they are pointers.
    pub(super) fn wanted(&self) -> Vec<&str> {
        let first = |field: &str| -> usize { field.find('/').unwrap_or(field.len()) };
        let name = |field: &'_ str| {
            let field = field.strip_prefix('/').unwrap_or(field);
            field.len().min(first(field))
        };
        let mut wanted: Vec<&str> = Vec::new();
        for field in [&self.title, &self.text].into_iter().chain(&self.id) {
            let bare = field.strip_prefix('/').unwrap_or(field);
            let word = bare.get(..name(field)).unwrap_or(bare);
            if !wanted.contains(&word) {
                wanted.push(word);
            }
        }
        wanted
    }
}

#[cfg(test)]
impl StoreOptions {
    /// Options with defaults, for tests.
    pub(super) fn test(collection: &str, by_vectors: bool) -> Self {
        Self {
            url: Address::parse("http://localhost:1/").unwrap(),
            collection: collection.into(),
            by_vectors,
            vector: None,
            fields: Vec::new(),
            id: None,
            title: "title".into(),
            text: "text".into(),
            metric: None,
            tenant: None,
            database: None,
            extra: Map::new(),
        }
    }
}
