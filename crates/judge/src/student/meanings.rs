//! Similarity of meaning between documents and queries.

use llull_core::{Hash, KeyBuilder};
use rustc_hash::FxHashMap;

/// The cosines of queries' and documents' vectors, by their texts. The caller knows the encoder.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Meanings {
    cosines: FxHashMap<Hash, f64>,
}

impl Meanings {
    /// Adds the cosine of a query and the text that is [shown](llull_core::Document::shown) of a document.
    pub fn insert(&mut self, query: &str, text: &str, cosine: f64) {
        self.cosines.insert(key(query, text), cosine);
    }

    /// Returns the cosine; `None` if one of the texts has no vector.
    pub fn of(&self, query: &str, text: &str) -> Option<f64> {
        self.cosines.get(&key(query, text)).copied()
    }
}

fn key(query: &str, text: &str) -> Hash {
    KeyBuilder::new("llull meaning v1").text("query", query).text("text", text).finish()
}
