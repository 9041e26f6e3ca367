//! A study's options for a known store.

use llull_http::Address;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::remote::template::as_json_text;

/// A study's options for a known store, with the names of `llull.toml`. They are serialized without the address.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StoreOptions {
    /// The server's address, with the path below which it answers, if it has one.
    #[serde(skip)]
    pub url: Address,
    /// The searched collection, index, class or schema.
    pub collection: String,
    /// Whether queries are sent as vectors, and not as words.
    #[serde(skip)]
    pub by_vectors: bool,
    /// The field of vectors that is searched, where there may be several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vector: Option<String>,
    /// The fields that are searched by words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
    /// The field with the document's identifier; the server's own by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The field with the title.
    pub title: String,
    /// The field with the text.
    pub text: String,
    /// The metric, where the server does not report it: `cosine`, `ip` or `l2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metric: Option<String>,
    /// The tenant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// The database.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub database: Option<String>,
    /// Fields that are added to every search.
    #[serde(skip_serializing_if = "Map::is_empty", serialize_with = "as_json_text")]
    pub extra: Map<String, Value>,
}

impl StoreOptions {
    /// Searches a collection by words, with the title in `title` and the text in `text`.
    pub fn new(url: Address, collection: impl Into<String>) -> Self {
        Self {
            url,
            collection: collection.into(),
            by_vectors: false,
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

    /// Returns the fields that a result needs: their first names, where they are pointers.
    pub(super) fn wanted(&self) -> Vec<&str> {
        let mut wanted: Vec<&str> = Vec::new();
        for field in [&self.title, &self.text].into_iter().chain(&self.id) {
            let bare = field.strip_prefix('/').unwrap_or(field);
            let first = bare.split('/').next().unwrap_or(bare);
            if !wanted.contains(&first) {
                wanted.push(first);
            }
        }
        wanted
    }
}
