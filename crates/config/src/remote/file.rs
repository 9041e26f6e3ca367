//! `[systems.http]`, `[systems.qdrant]` and the other stores, as written.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// The keys that all tables of servers share.
#[derive(Debug, Clone, Copy)]
pub struct ServerFile<'a> {
    /// The server's address.
    pub url: Option<&'a str>,
    /// The variable of the environment that holds the address, if it is not written.
    pub address: Option<&'a str>,
    /// The variable of the environment that holds the key.
    pub key: Option<&'a str>,
    /// A file of certificate authorities that are trusted for the server.
    pub ca_file: Option<&'a Path>,
    /// The encoder of queries: `minilm`.
    pub encoder: Option<&'a str>,
    /// The time limit of one request, in seconds.
    pub timeout: Option<f64>,
    /// The number of requests at once.
    pub concurrency: Option<usize>,
    /// The number of queries in one request, if the server takes several.
    pub batch: Option<usize>,
    /// The number of retries of a request after a temporary failure.
    pub retries: Option<u32>,
}

/// `[systems.http]`: a request with places for the query, and pointers into the reply.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HttpFile {
    /// The address, with `{query}` and `{k}` after the server; with `address`, the part after the server.
    pub url: Option<String>,
    /// The variable of the environment that holds the server's address.
    pub address: Option<String>,
    /// `GET` or `POST`.
    pub method: Option<String>,
    /// Headers; one of them may contain `{key}`.
    pub headers: BTreeMap<String, String>,
    /// The body, a table or JSON, with `"{query}"`, `"{k}"` and `"{vector}"`.
    pub body: Option<BodyEntry>,
    /// The place of the results in the reply, a JSON pointer.
    pub results: Option<String>,
    /// The place of an identifier, a JSON pointer into its result.
    pub id: Option<String>,
    /// The place of a score, higher for better.
    pub score: Option<String>,
    /// The place of a distance, lower for better.
    pub distance: Option<String>,
    /// The place of a title.
    pub title: Option<String>,
    /// The place of a text.
    pub text: Option<String>,
    /// The variable of the environment that holds the key.
    pub key: Option<String>,
    /// A file of certificate authorities that are trusted for the server, besides those of the system.
    pub ca_file: Option<PathBuf>,
    /// The encoder of queries: `minilm`.
    pub encoder: Option<String>,
    /// The time limit of one request, in seconds.
    pub timeout: Option<f64>,
    /// The number of requests at once.
    pub concurrency: Option<usize>,
    /// The number of retries of a request after a temporary failure.
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

/// `[systems.qdrant]` and the other stores with a protocol of their own.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StoreFile {
    /// The server's address.
    pub url: Option<String>,
    /// The variable of the environment that holds the address, if it is not written.
    pub address: Option<String>,
    /// The name of the searched collection, index, class or schema.
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
    /// The measure of nearness: `cosine`, `ip` or `l2`.
    pub metric: Option<String>,
    /// The tenant.
    pub tenant: Option<String>,
    /// The database.
    pub database: Option<String>,
    /// Fields that are added to every search.
    pub extra: toml::Table,
    /// The variable of the environment that holds the key.
    pub key: Option<String>,
    /// A file of certificate authorities that are trusted for the server, besides those of the system.
    pub ca_file: Option<PathBuf>,
    /// The encoder of queries: `minilm`.
    pub encoder: Option<String>,
    /// The time limit of one request, in seconds.
    pub timeout: Option<f64>,
    /// The number of requests at once.
    pub concurrency: Option<usize>,
    /// The number of queries in one request.
    pub batch: Option<usize>,
    /// The number of retries of a request after a temporary failure.
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
