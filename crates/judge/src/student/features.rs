//! Features of a pair of query and document, by their words.

use llull_core::{Document, Hash, KeyBuilder};
use rust_stemmers::{Algorithm, Stemmer};
use rustc_hash::FxHashMap;

use crate::baseline::Idf;
use crate::overlap::StopWords;
use crate::words::each_word;

/// How many words a window has, and how many are the beginning of a document: about a sentence, and a title.
const WINDOW: usize = 15;
const BEGINNING: usize = 20;
/// How many characters a piece of a word has.
const PIECE: usize = 4;
/// BM25's parameters as Anserini has them for passages.
const K1: f64 = 0.9;
const B: f64 = 0.4;

/// The names of the features, in their order:
///
/// - `coverage`: the share of the query's words that the document has, each weighted by its idf
/// - `words`: the same, every word alike
/// - `window`: as `coverage`, of the best 15 words in a row
/// - `neighbours`: the share of the query's pairs of adjacent words that the document has, adjacent
/// - `beginning`: as `coverage`, of the first 20 words, which are mostly the title
/// - `pieces`: the share of the query's pieces of four letters that the document has
/// - `bm25`: BM25 (k1 .9, b .4) as a share of the most that the query can have
/// - `length`: the logarithm of 1 and the document's words
/// - `title`: as `coverage`, of the title alone; 0 without one
///
/// Words are stems by Snowball's English stemmer, without English stop words if the query has others. All but `length`
/// are from 0 to 1.
pub const STUDENT_FEATURES: [&str; 9] =
    ["coverage", "words", "window", "neighbours", "beginning", "pieces", "bm25", "length", "title"];

/// The additional feature of a student that was trained with an encoder: the cosine of the vectors of query and
/// document.
pub const STUDENT_MEANING: &str = "meaning";

/// A query whose documents' features are wanted.
pub struct SurfaceFeatures<'a> {
    idf: &'a Idf,
    stemmer: Stemmer,
    /// The different stems that count, each with its weight.
    stems: Vec<(String, f64)>,
    /// Adjacent stems.
    neighbours: Vec<(String, String)>,
    pieces: Vec<[char; PIECE]>,
}

impl<'a> SurfaceFeatures<'a> {
    /// Reads a query. Returns `None` if it has no word.
    pub fn new(query: &str, idf: &'a Idf) -> Option<Self> {
        let stemmer = Stemmer::create(Algorithm::English);
        let mut words = Vec::new();
        each_word(query, |word| words.push(word.to_owned()));
        let counts = |word: &String| !StopWords::English.holds(word);
        let all_stop = !words.iter().any(counts);
        let mut stems: Vec<(String, f64)> = Vec::new();
        for word in words.iter().filter(|word| all_stop || counts(word)) {
            let stem = stemmer.stem(word).into_owned();
            if stems.iter().all(|(known, _)| *known != stem) {
                stems.push((stem, idf.weight(word)));
            }
        }
        let in_order: Vec<String> = words.iter().map(|word| stemmer.stem(word).into_owned()).collect();
        let neighbours = in_order.windows(2).map(|two| (two[0].clone(), two[1].clone())).collect();
        (!stems.is_empty()).then(|| Self { idf, stemmer, stems, neighbours, pieces: pieces(query) })
    }

    /// Returns the features of a document in the order of [`STUDENT_FEATURES`].
    pub fn of(&self, document: &Document) -> [f64; STUDENT_FEATURES.len()] {
        let shown = document.shown();
        let stems = |text: &str| {
            let mut words = Vec::new();
            each_word(text, |word| words.push(self.stemmer.stem(word).into_owned()));
            words
        };
        let words = stems(&shown);
        let total: f64 = self.stems.iter().map(|(_, weight)| weight).sum();
        let weighted = |found: &[bool]| {
            let weights = self.stems.iter().zip(found).filter(|(_, found)| **found);
            weights.map(|((_, weight), _)| weight).sum::<f64>() / total
        };
        // For each word of the document the place of the query's stem that it is.
        let places_of = |words: &[String]| -> Vec<Option<usize>> {
            words.iter().map(|word| self.stems.iter().position(|(stem, _)| stem == word)).collect()
        };
        let places = places_of(&words);
        let seen = |places: &[Option<usize>]| {
            let mut found = vec![false; self.stems.len()];
            places.iter().flatten().for_each(|place| found[*place] = true);
            found
        };
        let found = seen(&places);
        let windows = places.iter().enumerate().filter(|(_, place)| place.is_some());
        let windows = windows.map(|(at, _)| weighted(&seen(&places[at..places.len().min(at + WINDOW)])));
        let adjacent =
            |two: &&(String, String)| words.windows(2).any(|pair| pair[0] == two.0 && pair[1] == two.1);
        let share = |count: usize, of: usize| if of == 0 { 0.0 } else { count as f64 / of as f64 };
        let document_pieces = pieces(&shown);
        let has = |piece: &&[char; PIECE]| document_pieces.binary_search(piece).is_ok();
        [
            weighted(&found),
            share(found.iter().filter(|found| **found).count(), found.len()),
            windows.fold(0.0, f64::max),
            share(self.neighbours.iter().filter(adjacent).count(), self.neighbours.len()),
            weighted(&seen(&places[..places.len().min(BEGINNING)])),
            share(self.pieces.iter().filter(has).count(), self.pieces.len()),
            self.bm25(&places) / total,
            (1.0 + words.len() as f64).ln(),
            weighted(&seen(&places_of(&stems(&document.title)))),
        ]
    }

    /// BM25 without the factor k1 + 1, so that a document that has a word ever so often gets the word's idf.
    fn bm25(&self, places: &[Option<usize>]) -> f64 {
        let mut counts = vec![0.0_f64; self.stems.len()];
        places.iter().flatten().for_each(|place| counts[*place] += 1.0);
        let mean = self.idf.mean_length();
        let length = if mean > 0.0 { places.len() as f64 / mean } else { 1.0 };
        let norm = K1 * (1.0 - B + B * length);
        self.stems.iter().zip(&counts).map(|((_, weight), count)| weight * count / (count + norm)).sum()
    }
}

/// The different pieces of four characters of a text's words with a space around each, sorted.
fn pieces(text: &str) -> Vec<[char; PIECE]> {
    let mut chars = vec![' '];
    each_word(text, |word| {
        chars.extend(word.chars());
        chars.push(' ');
    });
    let mut pieces: Vec<[char; PIECE]> =
        chars.windows(PIECE).filter_map(|piece| piece.try_into().ok()).collect();
    pieces.sort_unstable();
    pieces.dedup();
    pieces
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baseline::IdfBuilder;

    fn features(query: &str, text: &str) -> [f64; 9] {
        titled(query, "", text)
    }

    fn titled(query: &str, title: &str, text: &str) -> [f64; 9] {
        let document = Document { id: "d".into(), title: title.into(), text: text.into() };
        let mut idf = IdfBuilder::new([query]);
        idf.add(&document.shown());
        idf.add("other words");
        SurfaceFeatures::new(query, &idf.finish()).unwrap().of(&document)
    }

    #[test]
    fn a_title_is_a_field_of_its_own() {
        let found = titled("vacuum cleaner", "Cleaners", "a vacuum");
        assert!(found[0] == 1.0 && found[8] > 0.4 && found[8] < 1.0, "{found:?}");
        assert_eq!(titled("vacuum cleaner", "Vacuum cleaners", "of today")[8], 1.0);
        assert_eq!(features("vacuum cleaner", "Cleaners\na vacuum")[..8], found[..8]);
        assert_eq!(features("vacuum cleaner", "vacuum cleaner")[8], 0.0);
    }

    #[test]
    fn what_repeats_the_query_covers_it() {
        let all = features("the vacuum cleaners", "The vacuum cleaner");
        // "vacuum" and "cleaner" are one step apart; the pieces "ers " and "ner " differ.
        assert_eq!(all[..5], [1.0, 1.0, 1.0, 1.0, 1.0]);
        assert!(all[5] > 0.7 && all[5] < 1.0 && all[6] > 0.4, "{all:?}");
        assert!((all[7] - 4.0_f64.ln()).abs() < 1e-12, "{all:?}");
    }

    #[test]
    fn words_far_apart_are_in_no_window_and_no_neighbours() {
        let far = format!("vacuum {} cleaner", "word ".repeat(30));
        let found = features("vacuum cleaner", &far);
        assert_eq!((found[0], found[1], found[3]), (1.0, 1.0, 0.0));
        assert!((found[2] - 0.5).abs() < 1e-12 && (found[4] - 0.5).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn nothing_shared_is_nothing() {
        assert_eq!(features("vacuum", "cat")[..7], [0.0; 7]);
        assert_eq!(features("vacuum", "")[..8], [0.0; 8]);
        let idf = IdfBuilder::new([]).finish();
        assert!(SurfaceFeatures::new(" ?! ", &idf).is_none());
        assert!(
            SurfaceFeatures::new("what is the", &idf).is_some(),
            "stop words count where there is nothing else"
        );
    }
}
