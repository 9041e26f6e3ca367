//! BM25, with the scorer of the `bm25` crate.

use bm25::{Embedding, Scorer, TokenEmbedding, Tokenizer as _};
use llull_core::{Document, Ranking, Topic};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::{
    index::DocumentIds,
    index::Fields,
    index::IndexError,
    index::top_documents,
    language::Language,
    retriever::{RetrieveError, Retriever},
    words::Words,
};

/// The settings of BM25.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Bm25Options {
    /// Which parts of a document are searched.
    pub fields: Fields,
    /// How slowly the weight of a term saturates as it repeats, from 0, which ignores repetition.
    pub k1: f32,
    /// How much the length of a document counts, from 0 (not) to 1 (in full).
    pub b: f32,
    /// The language of the stop words, which do not count, and of the endings, which are removed.
    pub language: Language,
}

impl Default for Bm25Options {
    /// Title and text, k1 = 0.9 and b = 0.4: the baseline of Anserini and Pyserini, and of BEIR's table of
    /// results. The language is English.
    fn default() -> Self {
        Self { fields: Fields::All, k1: 0.9, b: 0.4, language: Language::English }
    }
}

/// Collects documents for [`Bm25`]. It keeps the identifier of each document and the numbers of its terms,
/// not its text.
pub struct Bm25Builder {
    name: String,
    options: Bm25Options,
    words: Words,
    terms: FxHashMap<String, u32>,
    ids: DocumentIds,
    /// Texts that are not tokenized yet: a batch is tokenized on all cores.
    waiting: Vec<String>,
    /// The terms of all documents end to end, and where those of each document end.
    tokens: Vec<u32>,
    ends: Vec<usize>,
}

impl Bm25Builder {
    const BATCH: usize = 1024;

    /// Creates an index without documents: Unicode words in lower case, without NLTK's stop words, stemmed by
    /// Snowball; in English without accents.
    ///
    /// # Errors
    /// Returns an error if `k1` is negative or infinite, or `b` is not from 0 to 1.
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
            words: options.language.words(),
            terms: FxHashMap::default(),
            ids: DocumentIds::default(),
            waiting: Vec::new(),
            tokens: Vec::new(),
            ends: Vec::new(),
        })
    }

    /// Adds a document. One without anything to search counts as a document of length 0 and is never found.
    ///
    /// # Errors
    /// Returns an error if a document with this identifier was added before.
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
        let words = &self.words;
        let tokenized: Vec<Vec<String>> = texts.par_iter().map(|text| words.tokenize(text)).collect();
        for tokens in tokenized {
            for token in tokens {
                let next = self.terms.len() as u32;
                self.tokens.push(*self.terms.entry(token).or_insert(next));
            }
            self.ends.push(self.tokens.len());
        }
    }

    /// Returns the index of the documents that were added.
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
        let Self { name, words, terms, ids, .. } = self;
        Bm25 { name, words, terms, ids: ids.into_vec(), scorer }
    }
}

/// Returns the weight of a term that occurs `count` times in a document of `length` average lengths
/// (Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework: BM25 and Beyond", equation 3.15,
/// times k1 + 1).
fn saturate(count: f32, length: f32, options: Bm25Options) -> f32 {
    let Bm25Options { k1, b, .. } = options;
    count * (k1 + 1.0) / (count + k1 * (1.0 - b + b * length))
}

/// BM25 over documents in memory; made by [`Bm25Builder`].
///
/// Words, stems, inverted index, idf, `ln(1 + (N - n + 0.5) / (n + 0.5))`, and score are those of the `bm25`
/// crate. Terms are identified by numbers here: the crate hashes them to 32 bits, where two words can
/// collide. The crate returns tied results in an arbitrary order, so results are sorted again, in the
/// official order.
pub struct Bm25 {
    name: String,
    words: Words,
    terms: FxHashMap<String, u32>,
    ids: Vec<Box<str>>,
    scorer: Scorer<u32, u32>,
}

impl Bm25 {
    /// Returns the number of indexed documents.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Returns whether no document is indexed.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Returns the best `depth` documents for a query. Documents without any of its words are not among them.
    pub fn search(&self, query: &str, depth: usize) -> Ranking {
        let known = self.words.tokenize(query).into_iter().filter_map(|word| self.terms.get(&word));
        let query = Embedding(known.map(|term| TokenEmbedding { index: *term, value: 1.0 }).collect());
        let scored = self.scorer.matches(&query).into_iter().map(|hit| (hit.id, f64::from(hit.score)));
        top_documents(&self.ids, scored, depth)
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

#[cfg(test)]
mod tests {
    use bm25::SearchEngineBuilder;
    use proptest::prelude::*;

    use super::*;

    fn index(options: Bm25Options, texts: &[&str]) -> Bm25 {
        let mut builder = Bm25Builder::new("bm25", options).unwrap();
        for (number, text) in texts.iter().enumerate() {
            builder.add(&document(&format!("d{number}"), "", text)).unwrap();
        }
        builder.build()
    }

    fn document(id: &str, title: &str, text: &str) -> Document {
        Document { id: id.into(), title: title.into(), text: text.into() }
    }

    fn scores(index: &Bm25, query: &str) -> Vec<(String, f64)> {
        index.search(query, 100).iter().map(|hit| (hit.document.to_owned(), hit.score)).collect()
    }

    /// From bm25s 0.3 (PyPI), `method="lucene", dtype="float64"`, times k1 + 1, which it leaves out.
    #[test]
    fn scores_are_those_of_bm25s() {
        let texts = ["alpha beta beta gamma", "alpha delta", "beta delta delta delta epsilon zeta", "eta"];
        for (k1, b, query, golden) in [
            (0.9, 0.4, "beta", &[("d0", 0.8829672697179293), ("d2", 0.5973738785705041)][..]),
            (
                0.9,
                0.4,
                "alpha delta",
                &[("d1", 1.4952607301162137), ("d2", 0.9396671437887292), ("d0", 0.6641092071307466)],
            ),
            (1.2, 0.75, "beta", &[("d0", 0.8949891360728864), ("d2", 0.5149093341302451)]),
            (
                1.2,
                0.75,
                "delta delta eta",
                &[("d2", 1.844093894326924), ("d3", 1.6796888879864282), ("d1", 1.6451460053124012)],
            ),
        ] {
            let found = scores(&index(Bm25Options { k1, b, ..Bm25Options::default() }, &texts), query);
            assert_eq!(found.len(), golden.len(), "{query}");
            for ((document, score), (expected, golden)) in found.iter().zip(golden) {
                assert_eq!(document, expected, "{query}");
                assert!((score - golden).abs() < 2e-6, "{query} {document}: {score} is not {golden}");
            }
        }
    }

    #[test]
    fn words_are_folded_stemmed_and_freed_of_stop_words() {
        let index = index(Bm25Options::default(), &["The CAFÉ's queries were re-indexed", "of the and"]);
        assert_eq!(scores(&index, "querying").len(), 1);
        assert_eq!(scores(&index, "cafe indexing").len(), 1);
        assert!(scores(&index, "the").is_empty());
        assert!(scores(&index, "").is_empty());
    }

    #[test]
    fn title_and_text_share_no_word() {
        let mut builder = Bm25Builder::new("bm25", Bm25Options::default()).unwrap();
        builder.add(&document("d1", "Café society", "naïve painters")).unwrap();
        let index = builder.build();
        for word in ["society", "naive"] {
            assert_eq!(index.search(word, 9).len(), 1, "{word}");
        }
    }

    #[test]
    fn titles_can_be_searched_alone() {
        let mut builder =
            Bm25Builder::new("titles", Bm25Options { fields: Fields::Title, ..Default::default() }).unwrap();
        builder.add(&document("d1", "leases", "watches")).unwrap();
        builder.add(&document("d2", "", "leases")).unwrap();
        let index = builder.build();
        assert_eq!(index.search("lease", 9).len(), 1);
        assert!(index.search("watch", 9).is_empty());
        assert_eq!((index.name(), index.len()), ("titles", 2));
    }

    #[test]
    fn what_cannot_be_indexed_is_refused() {
        for (k1, b) in [(-1.0, 0.4), (f32::NAN, 0.4), (0.9, 1.1), (0.9, f32::NAN)] {
            let options = Bm25Options { k1, b, ..Default::default() };
            assert!(matches!(Bm25Builder::new("x", options), Err(IndexError::Parameter { .. })));
        }
        let mut builder = Bm25Builder::new("x", Bm25Options::default()).unwrap();
        builder.add(&document("d1", "", "one")).unwrap();
        assert_eq!(builder.add(&document("d1", "", "two")), Err(IndexError::Duplicate("d1".into())));
        let empty = Bm25Builder::new("x", Bm25Options::default()).unwrap().build();
        assert!(empty.is_empty() && empty.search("one", 3).is_empty());
    }

    proptest! {
        /// The crate's own search engine, which hashes its terms and orders ties arbitrarily, gives the same
        /// scores.
        #[test]
        fn scores_are_those_of_the_crates_engine(
            texts in proptest::collection::vec(proptest::collection::vec("[a-e]{1,3}ix", 0..9), 1..12),
            query in proptest::collection::vec("[a-e]{1,3}ix", 1..4),
            depth in 1usize..14,
        ) {
            let texts: Vec<String> = texts.into_iter().map(|words| words.join(" ")).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let query = query.join(" ");
            let words = Language::English.words();
            let engine = SearchEngineBuilder::<u32, u32, Words>::with_tokenizer_and_corpus(words, texts.clone());
            let Bm25Options { k1, b, .. } = Bm25Options::default();
            let theirs = engine.k1(k1).b(b).build().search(&query, None);
            let ids: Vec<String> = theirs.iter().map(|hit| format!("d{}", hit.document.id)).collect();
            let expected = Ranking::from_scored(
                ids.iter().map(String::as_str).zip(theirs.iter().map(|hit| f64::from(hit.score))),
            );
            let ours = index(Bm25Options::default(), &texts).search(&query, texts.len());
            prop_assert_eq!(ours.len(), expected.len());
            let mut ours_by_id: Vec<_> = ours.iter().map(|hit| (hit.document, hit.score)).collect();
            let mut theirs_by_id: Vec<_> = expected.iter().map(|hit| (hit.document, hit.score)).collect();
            ours_by_id.sort_by(|a, b| a.0.cmp(b.0));
            theirs_by_id.sort_by(|a, b| a.0.cmp(b.0));
            for (ours, theirs) in ours_by_id.iter().zip(&theirs_by_id) {
                prop_assert_eq!(ours.0, theirs.0);
                prop_assert!((ours.1 - theirs.1).abs() <= 1e-5, "{} {}", ours.1, theirs.1);
            }
            let cut = index(Bm25Options::default(), &texts).search(&query, depth);
            let best = Ranking::from_ordered(ours.iter().take(depth).map(|hit| (hit.document, hit.score)));
            prop_assert_eq!(cut, best);
        }
    }
}
