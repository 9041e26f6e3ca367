//! A text as token overlap compares it.

use icu_normalizer::ComposingNormalizerBorrowed;

use super::vocabulary::Vocabulary;
use super::word_set::WordSet;
use crate::words::each_word;

/// The words of a text: all in their order, and those that count once each.
pub(super) struct OverlapText<'a> {
    pub(super) text: &'a str,
    pub(super) words: Vec<u32>,
    /// Those that count, each once.
    pub(super) counted: Vec<u32>,
    /// The same.
    pub(super) set: WordSet,
}

impl<'a> OverlapText<'a> {
    pub(super) fn new(text: &'a str, vocabulary: &mut Vocabulary<'_>) -> Self {
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
        Self { text, words, counted, set }
    }

    /// Whether both are the same, and not empty, but for case and spaces.
    pub(super) fn is_same(&self, other: &Self) -> bool {
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
