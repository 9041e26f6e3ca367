//! The lexical baseline: grades by the query's words in a document.
//!
//! Rare words have more weight.

use std::sync::Arc;

use indexmap::IndexMap;
use llull_core::{Grade, Hash, KeyBuilder, Scale};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::words::each_word;

/// Grades by coverage: the share of the query's words that the document repeats, each weighted by its idf.
///
/// It knows no synonyms, no word forms and no meaning: a document that repeats the question gets the highest
/// grade, one that answers in other words the lowest. It exists so that a study runs without a model, and to show
/// what a model adds.
#[derive(Debug, Clone)]
pub struct Similarity {
    scale: Scale,
    idf: Idf,
    /// The least coverage for each grade above the lowest.
    thresholds: Vec<f64>,
}

/// The baseline's result for one document.
#[derive(Debug, Clone, PartialEq)]
pub struct WordCoverage {
    /// The grade.
    pub grade: Grade,
    /// The weighted share of the query's words that the document repeats, 0 to 1.
    pub coverage: f64,
    /// Those words, in lower case, in the query's order.
    pub matched: Vec<String>,
    /// The query's other words.
    pub missing: Vec<String>,
}

impl Similarity {
    /// The baseline on a scale whose grades divide the coverage from 0 to 1 into equal bands: on 0 to 3 from
    /// a quarter, a half and three quarters on.
    ///
    /// The highest grade does not need every word: queries in whole sentences have words, such as "what", that no
    /// answer repeats. On the human labels of TREC DL 2019 (9,260 pairs, idf from its judged passages) equal bands
    /// give a quadratically weighted kappa of .27 and a 3 to 6 % of the pairs (people: 8 %); thirds up to full
    /// coverage .18 and 1 %. Nothing else was fitted.
    pub fn new(scale: Scale, idf: Idf) -> Self {
        let grades = scale.grades().len();
        let thresholds = (1..grades).map(|step| step as f64 / grades as f64).collect();
        Self { scale, idf, thresholds }
    }

    /// Returns the grades that it may give.
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// Returns the hash of everything that decides its grades: weights, thresholds and scale.
    pub fn hash(&self) -> Hash {
        let mut key = KeyBuilder::new("llull similarity v1")
            .part("idf", &self.idf.hash().0)
            .text("scale", &format!("{}..{}", self.scale.low(), self.scale.high()));
        for threshold in &self.thresholds {
            key = key.number("threshold", threshold.to_bits());
        }
        key.finish()
    }

    /// Grades a document, given its title and text. Returns `None` if the query has no word.
    pub fn grade(&self, query: &str, document: &str) -> Option<WordCoverage> {
        let mut terms = QueryTerms::default();
        each_word(query, |term| terms.add(term));
        if terms.list.is_empty() {
            return None;
        }
        each_word(document, |term| terms.see(term));
        let (mut total, mut found) = (0.0, 0.0);
        let (mut matched, mut missing) = (Vec::with_capacity(terms.list.len()), Vec::new());
        for (term, seen) in terms.list {
            let weight = self.idf.weight(&term);
            total += weight;
            if seen {
                found += weight;
                matched.push(term);
            } else {
                missing.push(term);
            }
        }
        let coverage = found / total;
        // The tolerance covers rounding errors of the sums.
        let steps = self.thresholds.iter().take_while(|threshold| coverage >= **threshold - 1e-12).count();
        let grade = self.scale.grades().nth(steps).unwrap_or(self.scale.high());
        Some(WordCoverage { grade, coverage, matched, missing })
    }
}

/// The different words of a query, and which of them were seen. A query may have as many words as a document.
#[derive(Default)]
struct QueryTerms {
    list: IndexMap<String, bool, FxBuildHasher>,
    /// Bit `length % 64` for every word's length in bytes: most words of a document are ruled out by it alone.
    lengths: u64,
}

impl QueryTerms {
    fn add(&mut self, term: &str) {
        if !self.list.contains_key(term) {
            self.lengths |= 1 << (term.len() % 64);
            self.list.insert(term.to_owned(), false);
        }
    }

    fn see(&mut self, term: &str) {
        if self.lengths & (1 << (term.len() % 64)) == 0 {
            return;
        }
        if let Some(seen) = self.list.get_mut(term) {
            *seen = true;
        }
    }
}

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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn weights(queries: &[&str], documents: &[&str]) -> Idf {
        let mut builder = IdfBuilder::new(queries.iter().copied());
        documents.iter().for_each(|document| builder.add(document));
        builder.finish()
    }

    /// By hand: ln(1 + (3 - n + 0.5) / (n + 0.5)) for n = 3, 1, 0 is ln(8/7), ln(8/3) and ln 8.
    #[test]
    fn rare_words_weigh_more() {
        let idf = weights(&["the red fox"], &["the the the", "the red", "the dog"]);
        for (term, expected) in [("the", 8.0 / 7.0), ("red", 8.0 / 3.0), ("fox", 8.0), ("unheard", 8.0)] {
            assert!((idf.weight(term) - f64::ln(expected)).abs() < 1e-12, "{term}");
        }
        let similarity = Similarity::new(Scale::default(), idf);
        let said = similarity.grade("The red fox, the FOX", "a Red the").unwrap();
        let expected = ((8.0f64 / 7.0).ln() + (8.0f64 / 3.0).ln())
            / ((8.0f64 / 7.0).ln() + (8.0f64 / 3.0).ln() + 8.0f64.ln());
        assert!((said.coverage - expected).abs() < 1e-12, "{said:?}");
        assert_eq!(
            (said.matched, said.missing),
            (vec!["the".to_owned(), "red".into()], vec!["fox".to_owned()])
        );
        assert_eq!(said.grade, 1); // a coverage of .348
    }

    #[test]
    fn grades_are_equal_bands() {
        let idf = weights(&["a b c d"], &[]);
        let grades = |similarity: &Similarity| {
            ["", "a", "a b", "a b c", "d c b a"]
                .map(|document| similarity.grade("a b c d", document).unwrap().grade)
        };
        assert_eq!(grades(&Similarity::new(Scale::default(), idf.clone())), [0, 1, 2, 3, 3]);
        assert_eq!(grades(&Similarity::new(Scale::new(1, 2).unwrap(), idf)), [1, 1, 2, 2, 2]);
    }

    #[test]
    fn a_query_without_words_gets_no_grade() {
        let similarity = Similarity::new(Scale::default(), weights(&["?"], &["x"]));
        assert_eq!(similarity.grade("?!", "anything"), None);
    }

    /// Each word of the query was compared with every word of the document: 20,000 of both took minutes.
    #[test]
    fn a_query_of_twenty_thousand_words_is_graded_by_all_of_them() {
        let words = |from: usize| (from..from + 20_000).map(|at| format!("w{at} ")).collect::<String>();
        let (query, document) = (words(0), words(4_000));
        let graded =
            Similarity::new(Scale::default(), weights(&[&query], &[])).grade(&query, &document).unwrap();
        assert_eq!((graded.matched.len(), graded.missing.len(), graded.grade), (16_000, 4_000, 3));
    }

    #[test]
    fn the_hash_follows_what_decides() {
        let base = Similarity::new(Scale::default(), weights(&["a b"], &["a", "b"]));
        let same = Similarity::new(Scale::default(), weights(&["b", "a"], &["b", "a"]));
        assert_eq!(base.hash(), same.hash());
        let more = Similarity::new(Scale::default(), weights(&["a b"], &["a", "b", "c"]));
        let scale = Similarity::new(Scale::new(1, 4).unwrap(), base.idf.clone());
        for other in [more, scale] {
            assert_ne!(base.hash(), other.hash());
        }
    }

    proptest! {
        #[test]
        fn more_text_never_lowers_the_grade(
            query in "[a-e ]{1,9}[a-e]", document in "[a-h ]{0,20}", more in "\\PC{0,20}",
        ) {
            let similarity = Similarity::new(Scale::default(), weights(&[&query], &[&document, &more]));
            let before = similarity.grade(&query, &document).unwrap();
            let after = similarity.grade(&query, &format!("{document} {more}")).unwrap();
            prop_assert!(after.coverage >= before.coverage && after.grade >= before.grade);
            prop_assert!((0.0..=1.0).contains(&after.coverage));
            prop_assert_eq!(similarity.grade(&query, &query).unwrap().coverage, 1.0);
        }
    }
}
