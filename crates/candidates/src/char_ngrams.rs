//! Ranks documents by cosine similarity over character n-grams.

use llull_core::{Document, Ranking, Topic};
use rustc_hash::FxHashMap;

use crate::{
    index::DocumentIds,
    index::Fields,
    index::IndexError,
    index::top_documents,
    retriever::{RetrieveError, Retriever},
};

/// The lengths of the n-grams, including the marker before and after each word.
const SHORTEST: usize = 3;
const LONGEST: usize = 5;

/// The marker before and after each word, so that `ting` at the end of a word differs from `ting` inside a
/// word.
const BOUNDARY: char = ' ';

/// An n-gram, its characters packed at 21 bits each: exact, unlike a hash, and without allocations.
type Gram = u128;

/// A document, with the weight of an n-gram in it.
#[derive(Clone, Copy)]
struct Posting {
    document: u32,
    weight: f32,
}

/// Collects documents for [`CharNgrams`]. It keeps an inverted index, not the texts; expect about 16 bytes of
/// it for each byte of text.
pub struct CharNgramsBuilder {
    name: String,
    fields: Fields,
    ids: DocumentIds,
    grams: FxHashMap<Gram, u32>,
    postings: Vec<Vec<Posting>>,
}

impl CharNgramsBuilder {
    /// Creates an index without documents.
    pub fn new(name: impl Into<String>, fields: Fields) -> Self {
        Self {
            name: name.into(),
            fields,
            ids: DocumentIds::default(),
            grams: FxHashMap::default(),
            postings: Vec::new(),
        }
    }

    /// Adds a document. One without letters and digits is never found.
    ///
    /// # Errors
    /// Returns an error if a document with this identifier was added before.
    pub fn add(&mut self, document: &Document) -> Result<(), IndexError> {
        let number = self.ids.add(&document.id)?;
        let mut grams = Vec::new();
        each_gram(&self.fields.of(document), |gram| {
            let next = self.grams.len() as u32;
            grams.push(*self.grams.entry(gram).or_insert(next));
        });
        self.postings.resize_with(self.grams.len(), Vec::new);
        for (gram, weight) in frequencies(grams) {
            if let Some(postings) = self.postings.get_mut(gram as usize) {
                postings.push(Posting { document: number, weight: weight as f32 });
            }
        }
        Ok(())
    }

    /// Returns the index of the documents that were added.
    pub fn build(self) -> CharNgrams {
        let Self { name, ids, grams, mut postings, .. } = self;
        let ids = ids.into_vec();
        let idf: Vec<f64> = postings.iter().map(|documents| idf(ids.len(), documents.len())).collect();
        let mut norms = vec![0.0f64; ids.len()];
        for (documents, idf) in postings.iter_mut().zip(&idf) {
            for posting in documents {
                posting.weight *= *idf as f32;
                if let Some(norm) = norms.get_mut(posting.document as usize) {
                    *norm += f64::from(posting.weight).powi(2);
                }
            }
        }
        for posting in postings.iter_mut().flatten() {
            if let Some(norm) = norms.get(posting.document as usize) {
                posting.weight = (f64::from(posting.weight) / norm.sqrt()) as f32;
            }
        }
        CharNgrams { name, ids, grams, postings, idf }
    }
}

/// Retrieval by character n-grams: the cosine of tf-idf vectors; made by [`CharNgramsBuilder`].
///
/// BM25 matches whole stemmed words; this matches pieces of 3 to 5 characters. So it finds inflections, compounds and
/// misspellings, but words that look alike mislead it. N-grams lie within words, each with a boundary before and after
/// it. Words are runs of letters and digits, lower-cased (McNamee and Mayfield 2004, "Character N-Gram Tokenization
/// for European Language Text Retrieval", Information Retrieval 7). Weights are `(1 + ln tf) * idf`, normalised to
/// length 1 (Salton and Buckley 1988, "Term-weighting approaches in automatic text retrieval", `ltc`). The idf is
/// smoothed as in scikit-learn: `ln((1 + N) / (1 + n)) + 1`.
pub struct CharNgrams {
    name: String,
    ids: Vec<Box<str>>,
    grams: FxHashMap<Gram, u32>,
    postings: Vec<Vec<Posting>>,
    idf: Vec<f64>,
}

impl CharNgrams {
    /// Returns the number of indexed documents.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Returns whether no document is indexed.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Returns the best `depth` documents for a query, scored from 0 (excluded) to 1. Documents without any
    /// n-gram of the query are not among them.
    pub fn search(&self, query: &str, depth: usize) -> Ranking {
        let mut grams = Vec::new();
        each_gram(query, |gram| grams.extend(self.grams.get(&gram)));
        let weighted: Vec<(u32, f64)> = frequencies(grams)
            .filter_map(|(gram, weight)| Some((gram, weight * self.idf.get(gram as usize)?)))
            .collect();
        let norm = weighted.iter().map(|(_, weight)| weight.powi(2)).sum::<f64>().sqrt();
        // In the order of the n-grams' numbers, so that sums are the same each time.
        let mut scores = vec![0.0f64; self.ids.len()];
        for (gram, weight) in weighted {
            for posting in self.postings.get(gram as usize).into_iter().flatten() {
                if let Some(score) = scores.get_mut(posting.document as usize) {
                    *score += weight * f64::from(posting.weight);
                }
            }
        }
        let found = (0u32..).zip(scores).filter(|(_, score)| *score > 0.0);
        top_documents(&self.ids, found.map(|(document, score)| (document, score / norm)), depth)
    }
}

impl Retriever for CharNgrams {
    fn name(&self) -> &str {
        &self.name
    }

    fn retrieve(&self, topic: &Topic, depth: usize) -> Result<Ranking, RetrieveError> {
        Ok(self.search(&topic.text, depth))
    }
}

fn idf(documents: usize, with: usize) -> f64 {
    ((1 + documents) as f64 / (1 + with) as f64).ln() + 1.0
}

/// Returns the distinct n-grams, ascending, each with `1 + ln tf`.
fn frequencies(mut grams: Vec<u32>) -> impl Iterator<Item = (u32, f64)> {
    grams.sort_unstable();
    let mut counted: Vec<(u32, f64)> = Vec::new();
    for same in grams.chunk_by(|a, b| a == b) {
        counted.extend(same.first().map(|gram| (*gram, 1.0 + (same.len() as f64).ln())));
    }
    counted.into_iter()
}

/// Calls `each` for every n-gram of every word, with repetitions.
fn each_gram(text: &str, mut each: impl FnMut(Gram)) {
    let mut word = Vec::new();
    for part in text.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()) {
        word.clear();
        word.push(BOUNDARY);
        word.extend(part.chars().flat_map(char::to_lowercase));
        word.push(BOUNDARY);
        for length in SHORTEST..=LONGEST {
            for characters in word.windows(length) {
                each(characters.iter().fold(0, |gram, c| (gram << 21) | Gram::from(u32::from(*c))));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn index(texts: &[&str]) -> CharNgrams {
        let mut builder = CharNgramsBuilder::new("ngrams", Fields::All);
        for (number, text) in texts.iter().enumerate() {
            builder.add(&document(&format!("d{number}"), text)).unwrap();
        }
        builder.build()
    }

    fn document(id: &str, text: &str) -> Document {
        Document { id: id.into(), text: text.into(), ..Document::default() }
    }

    fn score(index: &CharNgrams, query: &str, document: &str) -> f64 {
        let ranking = index.search(query, 100);
        ranking.iter().find(|hit| hit.document == document).map_or(0.0, |hit| hit.score)
    }

    /// From scikit-learn 1.9, `TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), sublinear_tf=True)`.
    #[test]
    fn scores_are_those_of_scikit_learn() {
        let index = index(&[
            "the quick brown fox jumps over the lazy dog",
            "a lazy dog sleeps all day and a dog dreams",
            "quick foxes and quicker dogs",
            "brown bears do not jump",
            "unrelated words entirely",
        ]);
        for (query, golden) in [
            ("quick dog jumping", [0.4784887, 0.1746229, 0.4822593, 0.1849317, 0.0]),
            ("bear", [0.0, 0.0, 0.0, 0.413839, 0.0]),
        ] {
            for (number, golden) in golden.into_iter().enumerate() {
                let score = score(&index, query, &format!("d{number}"));
                assert!((score - golden).abs() < 1e-6, "{query}, d{number}: {score} is not {golden}");
            }
        }
    }

    #[test]
    fn pieces_of_words_match_and_case_and_punctuation_do_not_matter() {
        let index = index(&["Re-indexing (sharded)", "unrelated"]);
        assert!(score(&index, "shards", "d0") > 0.0);
        assert_eq!(score(&index, "SHARDED", "d0"), score(&index, "«sharded»", "d0"));
        assert!((score(&index, "re indexing sharded", "d0") - 1.0).abs() < 1e-6, "all of it");
        for nothing in ["", "!?", "zzz"] {
            assert!(index.search(nothing, 10).is_empty(), "{nothing}");
        }
    }

    #[test]
    fn characters_of_any_script_are_kept_apart() {
        let index = index(&["検索エンジン", "Straße", "𝒜𝒷𝒸"]);
        for (query, found) in [("エンジン", "d0"), ("STRASSE", "d1"), ("𝒜𝒷𝒸", "d2")] {
            let ranking = index.search(query, 9);
            assert_eq!(ranking.iter().map(|hit| hit.document).collect::<Vec<_>>(), [found], "{query}");
        }
    }

    #[test]
    fn a_repeated_identifier_is_refused() {
        let mut builder = CharNgramsBuilder::new("x", Fields::Title);
        builder.add(&document("d1", "one")).unwrap();
        assert_eq!(builder.add(&document("d1", "two")), Err(IndexError::Duplicate("d1".into())));
        assert!(builder.build().search("one", 9).is_empty(), "titles only");
    }

    proptest! {
        #[test]
        fn a_cosine_is_at_most_1_and_1_for_the_text_itself(
            texts in proptest::collection::vec("[a-dé ]{0,20}", 1..10),
        ) {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let index = index(&texts);
            for (number, text) in texts.iter().enumerate() {
                let itself = score(&index, text, &format!("d{number}"));
                let silent = !text.contains(char::is_alphanumeric);
                prop_assert!(if silent { itself == 0.0 } else { (itself - 1.0).abs() < 1e-5 }, "{}", itself);
                prop_assert!(index.search(text, 10).iter().all(|hit| hit.score < 1.0 + 1e-5));
            }
        }
    }
}
