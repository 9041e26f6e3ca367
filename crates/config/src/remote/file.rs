//! `[systems.http]`, `[systems.qdrant]` and the other stores, as they are written.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// What every server that retrieves takes.
#[derive(Debug, Clone, Copy)]
pub struct ServerFile<'a> {
    /// The server's address,
    pub url: Option<&'a str>,
    /// or the variable of the environment that holds it.
    pub address: Option<&'a str>,
    /// The variable of the environment that holds the key.
    pub key: Option<&'a str>,
    /// A file of certificate authorities that are trusted for the server.
    pub ca_file: Option<&'a Path>,
    /// What makes the vectors of queries: `minilm`.
    pub encoder: Option<&'a str>,
    /// How many seconds one request may take.
    pub timeout: Option<f64>,
    /// How many requests are under way at once.
    pub concurrency: Option<usize>,
    /// How many queries one request has, where the server takes several.
    pub batch: Option<usize>,
    /// How often a request whose failure may pass is sent again.
    pub retries: Option<u32>,
}

/// `[systems.http]`: any server, by a request with places for the query and pointers into the reply
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HttpFile {
    /// The address, with `{query}` and `{k}` behind the server; with `address` it is what follows the server.
    pub url: Option<String>,
    /// The variable of the environment that holds the server's address.
    pub address: Option<String>,
    /// `GET` or `POST`.
    pub method: Option<String>,
    /// Headers, in one of which `{key}` may stand.
    pub headers: BTreeMap<String, String>,
    /// The body, a table or JSON, with `"{query}"`, `"{k}"` and `"{vector}"`.
    pub body: Option<BodyEntry>,
    /// Where the results are in the reply, by JSON pointer.
    pub results: Option<String>,
    /// Where a result's identifier is, from the result.
    pub id: Option<String>,
    /// Its score, higher for better,
    pub score: Option<String>,
    /// or its distance, lower for better.
    pub distance: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// Its text.
    pub text: Option<String>,
    /// The variable of the environment that holds the key.
    pub key: Option<String>,
    /// A file of certificate authorities that are trusted for the server, beside those of the system.
    pub ca_file: Option<PathBuf>,
    /// What makes the vectors of queries: `minilm`.
    pub encoder: Option<String>,
    /// How many seconds one request may take.
    pub timeout: Option<f64>,
    /// How many requests are under way at once.
    pub concurrency: Option<usize>,
    /// How often a request whose failure may pass is sent again.
    pub retries: Option<u32>,
}

/// A body, in one of two forms.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum BodyEntry {
    /// JSON as text.
    Json(String),
    /// A table, which is sent as JSON.
    Table(toml::Table),
}

/// `[systems.qdrant]` and the other servers that are known
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StoreFile {
    /// The server's address,
    pub url: Option<String>,
    /// or the variable of the environment that holds it.
    pub address: Option<String>,
    /// What is searched: a collection, an index, a class, a schema.
    #[serde(alias = "index")]
    pub collection: Option<String>,
    /// The field of vectors that is searched.
    pub vector: Option<String>,
    /// The fields that are searched by words.
    pub fields: Vec<String>,
    /// The field with the document's identifier.
    pub id: Option<String>,
    /// The field with the title.
    pub title: Option<String>,
    /// The field with the text.
    pub text: Option<String>,
    /// What nearness is: `cosine`, `ip` or `l2`.
    pub metric: Option<String>,
    /// The tenant.
    pub tenant: Option<String>,
    /// The database.
    pub database: Option<String>,
    /// Fields that are added to every search.
    pub extra: toml::Table,
    /// The variable of the environment that holds the key.
    pub key: Option<String>,
    /// A file of certificate authorities that are trusted for the server, beside those of the system.
    pub ca_file: Option<PathBuf>,
    /// What makes the vectors of queries: `minilm`.
    pub encoder: Option<String>,
    /// How many seconds one request may take.
    pub timeout: Option<f64>,
    /// How many requests are under way at once.
    pub concurrency: Option<usize>,
    /// How many queries one request has.
    pub batch: Option<usize>,
    /// How often a request whose failure may pass is sent again.
    pub retries: Option<u32>,
}

impl HttpFile {
    pub(crate) fn server(&self) -> ServerFile<'_> {
        ServerFile {
            url: self.url.as_deref(),
            address: self.address.as_deref(),
            key: self.key.as_deref(),
            ca_file: self.ca_file.as_deref(),
            encoder: self.encoder.as_deref(),
            timeout: self.timeout,
            concurrency: self.concurrency,
            batch: None,
            retries: self.retries,
        }
    }
}

impl StoreFile {
    pub(crate) fn server(&self) -> ServerFile<'_> {
        ServerFile {
            url: self.url.as_deref(),
            address: self.address.as_deref(),
            key: self.key.as_deref(),
            ca_file: self.ca_file.as_deref(),
            encoder: self.encoder.as_deref(),
            timeout: self.timeout,
            concurrency: self.concurrency,
            batch: self.batch,
            retries: self.retries,
        }
    }
}
