//! BM25, with the tokenizer and the scorer of the `bm25` crate.

use bm25::{DefaultTokenizer, Embedding, Language, Scorer, TokenEmbedding, Tokenizer};
use llull_core::{Document, Ranking, Topic};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::{
    RetrieveError, Retriever,
    best::best,
    index::{Fields, Ids, IndexError},
};

/// What BM25 searches, and its two parameters.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Bm25Options {
    /// Which parts of a document are searched.
    pub fields: Fields,
    /// How slowly a term's weight saturates as it repeats, from 0, which ignores repetition.
    pub k1: f32,
    /// How far a document's length counts, from 0 (not) to 1 (in full).
    pub b: f32,
}

impl Default for Bm25Options {
    /// Title and text, k1 = 0.9 and b = 0.4: the baseline of Anserini and Pyserini, and of BEIR's table of results.
    fn default() -> Self {
        Self { fields: Fields::All, k1: 0.9, b: 0.4 }
    }
}

/// Collects documents for [`Bm25`]. Of each document its identifier and its terms' numbers are held, not its text.
pub struct Bm25Builder {
    name: String,
    options: Bm25Options,
    tokenizer: DefaultTokenizer,
    terms: FxHashMap<String, u32>,
    ids: Ids,
    /// Texts that are not tokenized yet: a batch is tokenized on all cores.
    waiting: Vec<String>,
    /// The terms of all documents end to end, and where each document's end.
    tokens: Vec<u32>,
    ends: Vec<usize>,
}

impl Bm25Builder {
    const BATCH: usize = 1024;

    /// An index without documents, for English text: Unicode words, lower-cased, accents folded, without NLTK's
    /// stop words, stemmed by Snowball.
    ///
    /// # Errors
    /// When `k1` is negative or infinite, or `b` is not from 0 to 1.
    pub fn new(name: impl Into<String>, options: Bm25Options) -> Result<Self, IndexError> {
        let Bm25Options { k1, b, .. } = options;
        if !(k1.is_finite() && k1 >= 0.0) {
            return Err(IndexError::Parameter { name: "k1", value: k1, range: "it is a number from 0 up" });
        }
        if !(0.0..=1.0).contains(&b) {
            return Err(IndexError::Parameter { name: "b", value: b, range: "it is a number from 0 to 1" });
        }
        Ok(Self {
            name: name.into(),
            options,
            tokenizer: DefaultTokenizer::new(Language::English),
            terms: FxHashMap::default(),
            ids: Ids::default(),
            waiting: Vec::new(),
            tokens: Vec::new(),
            ends: Vec::new(),
        })
    }

    /// Adds a document. One without anything to search counts as a document of length 0 and is never found.
    ///
    /// # Errors
    /// When a document of this identifier is there already.
    pub fn add(&mut self, document: &Document) -> Result<(), IndexError> {
        self.ids.add(&document.id)?;
        self.waiting.push(self.options.fields.of(document).into_owned());
        if self.waiting.len() >= Self::BATCH {
            self.tokenize();
        }
        Ok(())
    }

    fn tokenize(&mut self) {
        let texts = std::mem::take(&mut self.waiting);
        let tokenizer = &self.tokenizer;
        let tokenized: Vec<Vec<String>> = texts.par_iter().map(|text| tokenizer.tokenize(text)).collect();
        for tokens in tokenized {
            for token in tokens {
                let next = self.terms.len() as u32;
                self.tokens.push(*self.terms.entry(token).or_insert(next));
            }
            self.ends.push(self.tokens.len());
        }
    }

    /// The index of the documents added.
    pub fn build(mut self) -> Bm25 {
        self.tokenize();
        let average = self.tokens.len() as f64 / self.ends.len() as f64;
        let mut scorer = Scorer::new();
        let mut start = 0;
        for (document, end) in (0u32..).zip(&self.ends) {
            let mut tokens = self.tokens.get(start..*end).unwrap_or_default().to_vec();
            start = *end;
            tokens.sort_unstable();
            let length = (tokens.len() as f64 / average) as f32;
            let weighted = tokens.chunk_by(|a, b| a == b).filter_map(|same| {
                let value = saturate(same.len() as f32, length, self.options);
                same.first().map(|term| TokenEmbedding { index: *term, value })
            });
            scorer.upsert(&document, Embedding(weighted.collect()));
        }
        let Self { name, tokenizer, terms, ids, .. } = self;
        Bm25 { name, tokenizer, terms, ids: ids.into_vec(), scorer }
    }
}

/// The weight of a term that occurs `count` times in a document of `length` average lengths (Robertson and
/// Zaragoza 2009, "The Probabilistic Relevance Framework: BM25 and Beyond", equation 3.15, times k1 + 1).
fn saturate(count: f32, length: f32, options: Bm25Options) -> f32 {
    let Bm25Options { k1, b, .. } = options;
    count * (k1 + 1.0) / (count + k1 * (1.0 - b + b * length))
}

/// BM25 over documents in memory; made by [`Bm25Builder`].
///
/// Words, stems, inverted index, idf, `ln(1 + (N - n + 0.5) / (n + 0.5))`, and score are the `bm25` crate's. Its terms
/// are known by number here: the crate hashes them to 32 bits, where two words can collide. Its results come in an
/// arbitrary order within a tie, so they are sorted again, in the official order.
pub struct Bm25 {
    name: String,
    tokenizer: DefaultTokenizer,
    terms: FxHashMap<String, u32>,
    ids: Vec<Box<str>>,
    scorer: Scorer<u32, u32>,
}

impl Bm25 {
    /// How many documents are indexed.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The best `depth` documents for a query; those without any of its words are not among them.
    pub fn search(&self, query: &str, depth: usize) -> Ranking {
        let known = self.tokenizer.tokenize(query).into_iter().filter_map(|word| self.terms.get(&word));
        let query = Embedding(known.map(|term| TokenEmbedding { index: *term, value: 1.0 }).collect());
        let scored = self.scorer.matches(&query).into_iter().map(|hit| (hit.id, f64::from(hit.score)));
        best(&self.ids, scored, depth)
    }
}

impl Retriever for Bm25 {
    fn name(&self) -> &str {
        &self.name
    }

    fn retrieve(&self, topic: &Topic, depth: usize) -> Result<Ranking, RetrieveError> {
        Ok(self.search(&topic.text, depth))
    }
}
