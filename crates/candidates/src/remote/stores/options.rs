//! A study's options for a known store.

use llull_http::Address;
use serde_json::{Map, Value};

/// A study's options for a known store, with the names of `llull.toml`.
#[derive(Debug, Clone, PartialEq)]
pub struct StoreOptions {
    /// The server's address, with the path below which it answers, if it has one.
    pub url: Address,
    /// The searched collection, index, class or schema.
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
    /// The metric, where the server does not report it: `cosine`, `ip` or `l2`.
    pub metric: Option<String>,
    /// The tenant.
    pub tenant: Option<String>,
    /// The database.
    pub database: Option<String>,
    /// Fields that are added to every search.
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
