//! llull's own comparison of texts by shared words.
//!
//! Texts match if they are equal, if one contains the other, or if they share enough words and a large enough share of
//! the answer's.

use icu_normalizer::ComposingNormalizerBorrowed;

use super::comparison::Comparison;
use super::options::OverlapOptions;
use super::step::{MatchStep, TextMatch};
use super::vocabulary::Vocabulary;
use super::word_set::WordSet;
use crate::words::each_word;

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
