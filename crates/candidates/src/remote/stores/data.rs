//! Reads `stores.toml`, whose head documents each key.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use llull_http::{KEY, KeyForm};
use serde::Deserialize;
use serde_json::Value;

/// A store's requests and replies.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoreData {
    pub(super) takes: Vec<String>,
    #[serde(default)]
    pub(super) needs: Vec<String>,
    #[serde(default)]
    pub(super) defaults: BTreeMap<String, String>,
    key: Option<Key>,
    pub(super) opening: Option<String>,
    pub(super) path: Option<String>,
    pub(super) words: Option<Value>,
    pub(super) fields: Option<Value>,
    pub(super) vectors: Value,
    #[serde(default)]
    pub(super) common: Value,
    pub(super) most: Option<usize>,
    pub(super) batch: Option<Batch>,
    #[serde(default)]
    pub(super) within: String,
    pub(super) results: String,
    pub(super) none: Option<String>,
    pub(super) below: String,
    pub(super) id: String,
    pub(super) id_field: Option<String>,
    pub(super) text: Option<String>,
    pub(super) score: Option<String>,
    pub(super) vector_distance: Option<String>,
    #[serde(default)]
    pub(super) errors: Vec<String>,
}

/// A request for several queries.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Batch {
    pub(super) path: String,
    pub(super) list: Option<String>,
    #[serde(default)]
    pub(super) lines: bool,
    #[serde(default)]
    pub(super) add: Value,
    pub(super) results: String,
    pub(super) each: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Key {
    Header(String),
    Basic(String),
}

static STORES: LazyLock<Result<BTreeMap<String, StoreData>, String>> =
    LazyLock::new(|| toml::from_str(include_str!("stores.toml")).map_err(|error| error.to_string()));

impl StoreData {
    /// Returns a store's part of the file.
    pub(super) fn of(name: &str) -> Result<&'static Self, String> {
        let stores = STORES.as_ref().map_err(Clone::clone)?;
        stores.get(name).ok_or_else(|| format!("{name} is not known"))
    }

    /// Returns how the store wants its key.
    pub(super) fn key_form(&self) -> KeyForm {
        match &self.key {
            None => KeyForm::Bearer,
            Some(Key::Header(name)) => KeyForm::Header { name: name.clone(), value: KEY.into() },
            Some(Key::Basic(otherwise)) => KeyForm::Basic { otherwise: otherwise.clone() },
        }
    }
}
