//! Measures how rare the queries' words are in the corpus.

use std::sync::Arc;

use indexmap::IndexMap;
use llull_core::{Hash, KeyBuilder};
use rustc_hash::FxHashMap;

use crate::words::each_word;

/// Counts in how many documents each word of the queries occurs, one document of the corpus after another. Memory
/// grows with the queries, not with the corpus.
#[derive(Debug, Clone, Default)]
pub struct IdfBuilder {
    /// For each word, the number of documents that have it and the last document that was counted.
    terms: IndexMap<Box<str>, (u64, u64), rustc_hash::FxBuildHasher>,
    documents: u64,
    /// The words of all documents.
    words: u64,
}

impl IdfBuilder {
    /// Starts counting for the words of these queries.
    pub fn new<'a>(queries: impl IntoIterator<Item = &'a str>) -> Self {
        let mut builder = Self::default();
        for query in queries {
            each_word(query, |term| {
                if !builder.terms.contains_key(term) {
                    builder.terms.insert(term.into(), (0, 0));
                }
            });
        }
        builder
    }

    /// Counts one document of the corpus.
    pub fn add(&mut self, document: &str) {
        self.documents += 1;
        each_word(document, |term| {
            self.words += 1;
            if let Some((count, last)) = self.terms.get_mut(term).filter(|(_, last)| *last != self.documents)
            {
                (*count, *last) = (*count + 1, self.documents);
            }
        });
    }

    /// Returns the weights.
    pub fn finish(self) -> Idf {
        let n = self.documents as f64;
        let mut terms: Vec<_> = self.terms.into_iter().map(|(term, (count, _))| (term, count)).collect();
        terms.sort_unstable();
        let mut key = KeyBuilder::new("llull idf v1").number("documents", self.documents);
        for (term, count) in &terms {
            key = key.text("term", term).number("count", *count);
        }
        let weights = terms.into_iter().map(|(term, count)| (term, idf(n, count as f64))).collect();
        let mean_length = if self.documents == 0 { 0.0 } else { self.words as f64 / n };
        let hash = key.finish();
        Idf { weights: Arc::new(weights), unseen: idf(n, 0.0), mean_length, hash }
    }
}

/// Returns Lucene's form of the inverse document frequency in BM25, `ln(1 + (N - n + 0.5) / (n + 0.5))`, which is
/// above 0 even for a word that every document has (Kamphuis et al., ECIR 2020, section 3).
fn idf(documents: f64, with_term: f64) -> f64 {
    (1.0 + (documents - with_term + 0.5) / (with_term + 0.5)).ln()
}

/// How rare each word of the queries is in the corpus. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Idf {
    weights: Arc<FxHashMap<Box<str>, f64>>,
    unseen: f64,
    mean_length: f64,
    hash: Hash,
}

impl Idf {
    /// Returns the hash of all weights, for the judge's fingerprint.
    pub fn hash(&self) -> Hash {
        self.hash
    }

    /// Returns the mean number of words of a document; 0 without documents. It is not in the hash, since weights do
    /// not depend on it.
    pub fn mean_length(&self) -> f64 {
        self.mean_length
    }

    /// Returns the weight of a word, given in lower case. A word of no query weighs as much as one that no
    /// document has.
    pub(crate) fn weight(&self, term: &str) -> f64 {
        self.weights.get(term).copied().unwrap_or(self.unseen)
    }
}
