//! A judge without a model: how many of the query's words a document repeats. A baseline, and no more.

use std::sync::Arc;

use indexmap::IndexMap;
use llull_core::{Grade, Hash, KeyBuilder, Scale};
use rustc_hash::FxHashMap;

/// Counts in how many documents each word of the topics occurs, while the corpus streams by. Memory grows with
/// the topics, not with the corpus.
#[derive(Debug, Clone, Default)]
pub struct IdfBuilder {
    /// Word, documents with it, and the last document that was counted.
    terms: IndexMap<Box<str>, (u64, u64), rustc_hash::FxBuildHasher>,
    documents: u64,
}

impl IdfBuilder {
    /// Starts counting for the words of these queries.
    pub fn new<'a>(queries: impl IntoIterator<Item = &'a str>) -> Self {
        let mut builder = Self::default();
        for query in queries {
            each_term(query, |term| {
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
        each_term(document, |term| {
            if let Some((count, last)) = self.terms.get_mut(term).filter(|(_, last)| *last != self.documents)
            {
                (*count, *last) = (*count + 1, self.documents);
            }
        });
    }

    /// The weights.
    pub fn finish(self) -> Idf {
        let n = self.documents as f64;
        let mut terms: Vec<_> = self.terms.into_iter().map(|(term, (count, _))| (term, count)).collect();
        terms.sort_unstable();
        let mut key = KeyBuilder::new("llull idf v1").number("documents", self.documents);
        for (term, count) in &terms {
            key = key.text("term", term).number("count", *count);
        }
        let weights = terms.into_iter().map(|(term, count)| (term, idf(n, count as f64))).collect();
        Idf { weights: Arc::new(weights), unseen: idf(n, 0.0), documents: self.documents, hash: key.finish() }
    }
}

/// Lucene's form of the inverse document frequency in BM25, `ln(1 + (N - n + 0.5) / (n + 0.5))`, which is above 0 even for
/// a word that every document has (Kamphuis et al., ECIR 2020, section 3).
fn idf(documents: f64, with_term: f64) -> f64 {
    (1.0 + (documents - with_term + 0.5) / (with_term + 0.5)).ln()
}

/// How rare each word of the topics is in the corpus. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Idf {
    weights: Arc<FxHashMap<Box<str>, f64>>,
    unseen: f64,
    documents: u64,
    hash: Hash,
}

impl Idf {
    /// The hash of all weights, for the judge's fingerprint.
    pub fn hash(&self) -> Hash {
        self.hash
    }

    /// How many documents were counted.
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// The weight of a word, in lower case. A word of none of the topics weighs as one that no document has.
    fn weight(&self, term: &str) -> f64 {
        self.weights.get(term).copied().unwrap_or(self.unseen)
    }
}

/// Grades by coverage: the share of the query's words that the document repeats, each weighted by its idf.
///
/// It knows no synonyms, no word forms and no meaning: a document that repeats the question gets the highest grade, one that
/// answers in other words the lowest. It exists so that a study runs without a model, and to show what a model adds.
#[derive(Debug, Clone)]
pub struct Similarity {
    scale: Scale,
    idf: Idf,
    thresholds: Vec<f64>,
}

/// Thresholds that do not make grades.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error(
    "{given:?} are not thresholds for {needed} grades above the lowest: they are as many numbers above 0, at most 1, each above the one before"
)]
pub struct ThresholdsError {
    /// The thresholds that were given.
    pub given: Vec<f64>,
    /// How many are needed.
    pub needed: usize,
}

/// What the baseline says of one document.
#[derive(Debug, Clone, PartialEq)]
pub struct Coverage {
    /// The grade.
    pub grade: Grade,
    /// The weighted share of the query's words that the document repeats, 0 to 1.
    pub coverage: f64,
    /// Those words, in lower case, in the query's order.
    pub matched: Vec<String>,
    /// The other ones.
    pub missing: Vec<String>,
}

impl Similarity {
    /// The baseline on a scale, with [thresholds](Self::thresholds) at equal distances: of n grades above the lowest, grade
    /// i needs a coverage of i/n, so that on 0 to 3 a third, two thirds and all of the query's weight.
    ///
    /// The highest grade asks for every word because it stands for a full answer; the lowest is left to what has less than
    /// a share of one step. They were chosen for this reason and not fitted to any labels.
    pub fn new(scale: Scale, idf: Idf) -> Self {
        let steps = scale.grades().len() - 1;
        let thresholds = (1..=steps).map(|step| step as f64 / steps as f64).collect();
        Self { scale, idf, thresholds }
    }

    /// The baseline with thresholds of the caller's own: the least coverage for each grade above the lowest.
    ///
    /// # Errors
    /// [`ThresholdsError`] unless there is one for each of these grades, ascending, above 0 and at most 1.
    pub fn with_thresholds(scale: Scale, idf: Idf, thresholds: Vec<f64>) -> Result<Self, ThresholdsError> {
        let needed = scale.grades().len() - 1;
        let ascending = thresholds.windows(2).all(|pair| matches!(pair, [lower, upper] if lower < upper));
        let in_range = thresholds.iter().all(|threshold| *threshold > 0.0 && *threshold <= 1.0);
        match thresholds.len() == needed && ascending && in_range {
            true => Ok(Self { scale, idf, thresholds }),
            false => Err(ThresholdsError { given: thresholds, needed }),
        }
    }

    /// The least coverage for each grade above the lowest.
    pub fn thresholds(&self) -> &[f64] {
        &self.thresholds
    }

    /// The hash of everything that decides its grades: weights, thresholds and scale.
    pub fn hash(&self) -> Hash {
        let mut key = KeyBuilder::new("llull similarity v1")
            .part("idf", &self.idf.hash.0)
            .text("scale", &format!("{}..{}", self.scale.low(), self.scale.high()));
        for threshold in &self.thresholds {
            key = key.number("threshold", threshold.to_bits());
        }
        key.finish()
    }

    /// Grades a document, as it would be shown to a judge. `None` when the query has no word: nothing can be said of it.
    pub fn grade(&self, query: &str, document: &str) -> Option<Coverage> {
        let mut terms = QueryTerms::default();
        each_term(query, |term| terms.add(term));
        if terms.list.is_empty() {
            return None;
        }
        each_term(document, |term| terms.see(term));
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
        // A hair's breadth for sums that were rounded on the way.
        let steps = self.thresholds.iter().take_while(|threshold| coverage >= **threshold - 1e-12).count();
        let grade = self.scale.grades().nth(steps).unwrap_or(self.scale.high());
        Some(Coverage { grade, coverage, matched, missing })
    }
}

/// The different words of a query, and which of them were seen.
#[derive(Default)]
struct QueryTerms {
    list: Vec<(String, bool)>,
    /// Bit `length % 64` for every word's length in bytes: most words of a document are told apart by it alone.
    lengths: u64,
}

impl QueryTerms {
    fn add(&mut self, term: &str) {
        if !self.list.iter().any(|(known, _)| known == term) {
            self.lengths |= 1 << (term.len() % 64);
            self.list.push((term.to_owned(), false));
        }
    }

    fn see(&mut self, term: &str) {
        if self.lengths & (1 << (term.len() % 64)) == 0 {
            return;
        }
        if let Some((_, seen)) = self.list.iter_mut().find(|(known, _)| known == term) {
            *seen = true;
        }
    }
}

/// Calls `each` with every word of `text` in lower case: a run of letters and digits, or one character of a script that
/// does not put spaces between words.
fn each_term(text: &str, mut each: impl FnMut(&str)) {
    let mut lower = String::new();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if word.is_ascii() {
            if word.bytes().any(|byte| byte.is_ascii_uppercase()) {
                lower.clear();
                lower.push_str(word);
                lower.make_ascii_lowercase();
                each(&lower);
            } else {
                each(word);
            }
            continue;
        }
        lower.clear();
        lower.extend(word.chars().flat_map(char::to_lowercase));
        let mut start = 0;
        for (at, c) in lower.char_indices().filter(|(_, c)| stands_alone(*c)) {
            if start < at {
                each(&lower[start..at]);
            }
            each(&lower[at..at + c.len_utf8()]);
            start = at + c.len_utf8();
        }
        if start < lower.len() {
            each(&lower[start..]);
        }
    }
}

/// Thai, Lao, Khmer and Burmese, kana, and Chinese characters.
fn stands_alone(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}
