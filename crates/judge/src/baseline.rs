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
    /// The baseline on a scale whose grades share the coverage from 0 to 1 out in equal bands: on 0 to 3 the
    /// [thresholds](Self::thresholds) are a quarter, a half and three quarters.
    ///
    /// To ask for every word for the highest grade would ask too much: queries in whole sentences have words, such as
    /// "what", that no answer repeats. On the human labels of TREC DL 2019 (9,260 pairs, idf from its judged passages) equal bands
    /// give a quadratically weighted kappa of .27 and a 3 to 6 % of the pairs (people: 8 %); thirds up to full coverage .18 and
    /// 1 %. That is all the fitting there was.
    pub fn new(scale: Scale, idf: Idf) -> Self {
        let grades = scale.grades().len();
        let thresholds = (1..grades).map(|step| step as f64 / grades as f64).collect();
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

    /// The grades that it may give.
    pub fn scale(&self) -> Scale {
        self.scale
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn terms(text: &str) -> Vec<String> {
        let mut terms = Vec::new();
        each_term(text, |term| terms.push(term.to_owned()));
        terms
    }

    fn weights(queries: &[&str], documents: &[&str]) -> Idf {
        let mut builder = IdfBuilder::new(queries.iter().copied());
        documents.iter().for_each(|document| builder.add(document));
        builder.finish()
    }

    #[test]
    fn words_are_lower_case_runs_of_letters_and_digits() {
        assert_eq!(
            terms("How-to: HTTP/2 isn't ÜBER_cool?"),
            ["how", "to", "http", "2", "isn", "t", "über", "cool"]
        );
        assert_eq!(terms("東京tower 3月"), ["東", "京", "tower", "3", "月"]);
        assert_eq!(terms(" \n—"), Vec::<String>::new());
    }

    /// By hand: ln(1 + (3 - n + 0.5) / (n + 0.5)) for n = 3, 1, 0 is ln(8/7), ln(8/3) and ln 8.
    #[test]
    fn rare_words_weigh_more() {
        let idf = weights(&["the red fox"], &["the the the", "the red", "the dog"]);
        assert_eq!(idf.documents(), 3);
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
    fn bands_and_thresholds() {
        let idf = weights(&["a b c d"], &[]);
        let grades = |similarity: &Similarity| {
            ["", "a", "a b", "a b c", "d c b a"]
                .map(|document| similarity.grade("a b c d", document).unwrap().grade)
        };
        assert_eq!(grades(&Similarity::new(Scale::default(), idf.clone())), [0, 1, 2, 3, 3]);
        assert_eq!(grades(&Similarity::new(Scale::new(1, 2).unwrap(), idf.clone())), [1, 1, 2, 2, 2]);
        let own = |thresholds: &[f64]| {
            Similarity::with_thresholds(Scale::default(), idf.clone(), thresholds.to_vec())
        };
        assert_eq!(grades(&own(&[0.1, 0.2, 1.0]).unwrap()), [0, 2, 2, 2, 3]);
        for wrong in
            [&[0.1, 0.2][..], &[0.2, 0.1, 1.0], &[0.0, 0.1, 0.2], &[0.1, 0.2, 1.1], &[f64::NAN, 0.2, 0.3]]
        {
            assert!(own(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_query_without_words_gets_no_grade() {
        let similarity = Similarity::new(Scale::default(), weights(&["?"], &["x"]));
        assert_eq!(similarity.grade("?!", "anything"), None);
    }

    #[test]
    fn the_hash_follows_what_decides() {
        let base = Similarity::new(Scale::default(), weights(&["a b"], &["a", "b"]));
        let same = Similarity::new(Scale::default(), weights(&["b", "a"], &["b", "a"]));
        assert_eq!(base.hash(), same.hash());
        let more = Similarity::new(Scale::default(), weights(&["a b"], &["a", "b", "c"]));
        let thresholds =
            Similarity::with_thresholds(Scale::default(), base.idf.clone(), vec![0.2, 0.5, 0.75]).unwrap();
        let scale = Similarity::new(Scale::new(1, 4).unwrap(), base.idf.clone());
        for other in [more, thresholds, scale] {
            assert_ne!(base.hash(), other.hash());
        }
    }

    proptest! {
        #[test]
        fn more_text_never_lowers_the_grade(query in "[a-e ]{1,9}[a-e]", document in "[a-h ]{0,20}", more in "\\PC{0,20}") {
            let similarity = Similarity::new(Scale::default(), weights(&[&query], &[&document, &more]));
            let before = similarity.grade(&query, &document).unwrap();
            let after = similarity.grade(&query, &format!("{document} {more}")).unwrap();
            prop_assert!(after.coverage >= before.coverage && after.grade >= before.grade);
            prop_assert!((0.0..=1.0).contains(&after.coverage));
            prop_assert_eq!(similarity.grade(&query, &query).unwrap().coverage, 1.0);
        }
    }
}
