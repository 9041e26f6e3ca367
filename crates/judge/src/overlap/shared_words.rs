//! llull's own comparison of texts by shared words.
//!
//! Texts match if they are equal, if one contains the other, or if they share enough words and a large enough share of
//! the answer's.

use icu_normalizer::ComposingNormalizerBorrowed;
use rust_stemmers::Stemmer;
use rustc_hash::FxHashMap;

use super::token_overlap::{MatchStep, OverlapOptions, TextMatch};
use crate::words::each_word;

/// A way to read texts and to compare them. Texts that are compared are read by one value of it.
pub(super) trait Comparison<'a> {
    /// A text prepared for comparison.
    type Text;
    /// An expected answer, which is compared with many texts.
    type Answer;

    fn new(options: &'a OverlapOptions) -> Self;

    fn text(&mut self, text: &'a str) -> Self::Text;

    fn answer(&mut self, text: Self::Text) -> Self::Answer;

    fn decide(&self, query: &Self::Text, answer: &Self::Answer, retrieved: &Self::Text) -> TextMatch;
}

/// The words of the texts that are judged together.
pub(super) struct SharedWords<'a> {
    options: &'a OverlapOptions,
    vocabulary: Vocabulary<'a>,
}

impl<'a> Comparison<'a> for SharedWords<'a> {
    type Text = OverlapText<'a>;
    type Answer = OverlapText<'a>;

    fn new(options: &'a OverlapOptions) -> Self {
        Self { options, vocabulary: Vocabulary::new(options) }
    }

    fn text(&mut self, text: &'a str) -> OverlapText<'a> {
        let vocabulary = &mut self.vocabulary;
        let mut words = Vec::new();
        // One letter can be written as one character or as two, and wide or narrow: NFKC writes it one way.
        if text.is_ascii() {
            each_word(text, |word| words.push(vocabulary.number(word)));
        } else {
            let composed = ComposingNormalizerBorrowed::new_nfkc().normalize(text);
            each_word(&composed, |word| words.push(vocabulary.number(word)));
        }
        let mut set = WordSet::default();
        let counted = words.iter().filter_map(|word| vocabulary.counted(*word));
        let counted = counted.filter(|word| set.insert(*word)).collect();
        OverlapText { text, words, counted, set }
    }

    fn answer(&mut self, text: OverlapText<'a>) -> OverlapText<'a> {
        text
    }

    fn decide(
        &self,
        query: &OverlapText<'_>,
        expected: &OverlapText<'_>,
        retrieved: &OverlapText<'_>,
    ) -> TextMatch {
        let matched = |step| TextMatch { matches: true, step };
        let unmatched = |step| TextMatch { matches: false, step };
        let needed = self.options.min_tokens.min(expected.counted.len());
        if expected.is_same(retrieved) {
            return matched(MatchStep::Exact);
        }
        let shared = retrieved.set.shared(&expected.counted);
        if let Some(step) = contained(expected, retrieved, (shared, needed)) {
            return matched(step);
        }
        if expected.counted.is_empty() || retrieved.counted.is_empty() {
            return unmatched(MatchStep::NoWords);
        }
        let of = expected.counted.len();
        if shared < needed {
            return unmatched(MatchStep::TooFewShared { shared, needed });
        }
        // The tolerance covers rounding errors: three quarters of 0.8 are more than 0.6.
        let share = shared as f64 / of as f64 + 1e-12;
        let by_overlap = MatchStep::Overlap { shared, expected: of };
        if share >= self.options.threshold {
            return matched(by_overlap);
        }
        let asked = |word: &u32| retrieved.set.holds(*word) && query.set.holds(*word);
        let boosted = self.options.query_boost && expected.counted.iter().any(asked);
        match boosted && share >= self.options.threshold * 0.75 {
            true => matched(MatchStep::QueryBoost { shared, expected: of }),
            false => unmatched(by_overlap),
        }
    }
}

/// The words of a text: all in their order, and those that count once each.
pub(super) struct OverlapText<'a> {
    text: &'a str,
    words: Vec<u32>,
    /// Those that count, each once.
    counted: Vec<u32>,
    /// The same.
    set: WordSet,
}

impl OverlapText<'_> {
    /// Whether both are the same, and not empty, but for case and spaces.
    fn is_same(&self, other: &Self) -> bool {
        let mut own = folded(self.text).peekable();
        own.peek().is_some() && own.eq(folded(other.text))
    }
}

/// The characters of a text in lower case, with one space between words.
fn folded(text: &str) -> impl Iterator<Item = char> {
    let words = text.split_whitespace().enumerate();
    words.flat_map(|(at, word)| {
        let space = (at > 0).then_some(' ');
        space.into_iter().chain(word.chars().flat_map(char::to_lowercase))
    })
}

/// Finds the text that the other contains, if one does; `shared` is the number of counted words in both. Words are
/// whole, and a retrieved text that is a piece of the answer has to have `needed` of its words: a letter or an article
/// is in nearly every text.
fn contained(
    expected: &OverlapText<'_>,
    retrieved: &OverlapText<'_>,
    (shared, needed): (usize, usize),
) -> Option<MatchStep> {
    let needed = needed.max(1);
    // Only a text whose words are all shared can be a part of the other.
    let all = |text: &OverlapText<'_>| text.counted.len() >= needed && text.counted.len() == shared;
    if all(expected) && stands_in(&expected.words, &retrieved.words) {
        Some(MatchStep::AnswerInPassage)
    } else if all(retrieved) && stands_in(&retrieved.words, &expected.words) {
        Some(MatchStep::PassageInAnswer)
    } else {
        None
    }
}

fn stands_in(needle: &[u32], hay: &[u32]) -> bool {
    let Some((first, rest)) = needle.split_first() else { return false };
    hay.windows(needle.len()).any(|window| window.split_first() == Some((first, rest)))
}

/// The words of the texts that are judged together.
pub(super) struct Vocabulary<'a> {
    options: &'a OverlapOptions,
    stemmer: Option<Stemmer>,
    numbers: FxHashMap<Box<str>, u32>,
    /// For each word the number that it counts as, its stem's or its own; `None` if it is a stop word.
    counted: Vec<Option<u32>>,
}

impl<'a> Vocabulary<'a> {
    pub(super) fn new(options: &'a OverlapOptions) -> Self {
        let stemmer = options.stemming.map(|language| Stemmer::create(language.0));
        Self { options, stemmer, numbers: FxHashMap::default(), counted: Vec::new() }
    }

    /// Returns the number of a word, given in lower case.
    pub(super) fn number(&mut self, word: &str) -> u32 {
        if let Some(number) = self.numbers.get(word) {
            return *number;
        }
        let number = self.add(word);
        if self.options.stop_words.holds(word) {
            self.count_as(number, None);
        } else if let Some(stemmer) = &self.stemmer {
            let stem = stemmer.stem(word).into_owned();
            let stem = match self.numbers.get(stem.as_str()) {
                Some(known) => *known,
                None => self.add(&stem),
            };
            self.count_as(number, Some(stem));
        }
        number
    }

    fn add(&mut self, word: &str) -> u32 {
        let number = self.counted.len() as u32;
        self.numbers.insert(word.into(), number);
        self.counted.push(Some(number));
        number
    }

    fn count_as(&mut self, number: u32, as_number: Option<u32>) {
        if let Some(counted) = self.counted.get_mut(number as usize) {
            *counted = as_number;
        }
    }

    /// Returns the number that a word counts as; `None` if it does not count.
    pub(super) fn counted(&self, number: u32) -> Option<u32> {
        self.counted.get(number as usize).copied().flatten()
    }
}

/// A set of words, by their numbers: a bit for each word of the vocabulary, since lookups of a word in a text are far
/// more frequent than readings of a text.
#[derive(Debug, Default)]
pub(super) struct WordSet {
    bits: Vec<u64>,
}

impl WordSet {
    /// Adds a word. Returns whether it is new.
    pub(super) fn insert(&mut self, word: u32) -> bool {
        let (at, bit) = place(word);
        if self.bits.len() <= at {
            self.bits.resize(at + 1, 0);
        }
        let Some(bits) = self.bits.get_mut(at) else { return false };
        let is_new = *bits & bit == 0;
        *bits |= bit;
        is_new
    }

    /// Whether it has a word.
    pub(super) fn holds(&self, word: u32) -> bool {
        let (at, bit) = place(word);
        self.bits.get(at).is_some_and(|bits| bits & bit != 0)
    }

    /// How many of these words it has.
    pub(super) fn shared(&self, words: &[u32]) -> usize {
        words.iter().filter(|word| self.holds(**word)).count()
    }
}

fn place(word: u32) -> (usize, u64) {
    (word as usize / 64, 1 << (word % 64))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_a_set(
            words in prop::collection::vec(0u32..300, 0..80),
            asked in prop::collection::vec(0u32..400, 0..80),
        ) {
            let (mut known, mut set) = (BTreeSet::new(), WordSet::default());
            for word in words {
                prop_assert_eq!(set.insert(word), known.insert(word));
            }
            prop_assert_eq!(set.shared(&asked), asked.iter().filter(|word| known.contains(word)).count());
        }
    }
}
