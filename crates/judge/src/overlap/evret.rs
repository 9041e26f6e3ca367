//! Token overlap as evret 0.0.3 computes it.
//!
//! Where evret's sum depends on the order of a set, this gives the correctly rounded one, as Python does from 3.12 on.

use std::cell::OnceCell;

use memchr::memmem::Finder;

use super::shared_words::{Comparison, Vocabulary, WordSet};
use super::token_overlap::{MatchStep, OverlapOptions, TextMatch};

/// The words by which a text negates.
const NEGATIONS: [&str; 6] = ["no", "not", "never", "none", "without", "cannot"];

/// The lengths of phrases in words, and the bonus for the longest one in the passage.
const PHRASES: [(usize, f64); 3] = [(4, 0.15), (3, 0.1), (2, 0.05)];

/// The bonus if the query has a shared word.
const QUERY_BONUS: f64 = 0.1;

/// A text as evret compares it.
pub(super) struct Text {
    /// In lower case, with one space between words.
    folded: String,
    /// The words that count, each once.
    counted: Vec<u32>,
    /// The same.
    set: WordSet,
    negates: bool,
}

/// An expected answer, prepared for searches in many passages.
pub(super) struct Answer {
    text: Text,
    /// The sum of the weights of its words.
    weight: f64,
    /// Finds the answer itself.
    whole: Finder<'static>,
    phrases: Phrases,
    /// Find its phrases of [`PHRASES`]; made for the first passage that comes so far.
    finders: [OnceCell<Vec<Finder<'static>>>; 3],
}

impl Answer {
    /// 0.05 for each word but the first of the longest phrase, of at most four words, that the passage has. Stop words
    /// are not among an answer's words, so a phrase with one between is not found.
    fn phrase_bonus(&self, passage: &str) -> f64 {
        let sought = PHRASES.iter().zip(&self.finders);
        let found = sought.into_iter().find(|((size, _), finders)| {
            let finders = finders.get_or_init(|| self.phrases.finders(*size));
            finders.iter().any(|phrase| phrase.find(passage.as_bytes()).is_some())
        });
        found.map_or(0.0, |((_, bonus), _)| *bonus)
    }
}

/// The words of an answer that count, in their order, with one space between them, and where each begins and ends.
#[derive(Default)]
struct Phrases {
    joined: String,
    words: Vec<(usize, usize)>,
}

/// The words of the texts that are judged together, with their weights.
pub(super) struct EvretWords<'a> {
    options: &'a OverlapOptions,
    vocabulary: Vocabulary<'a>,
    kinds: Vec<Kind>,
}

/// The kind of a word, which decides its weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Digits alone: 1.5.
    Number,
    /// At most two letters: 0.75.
    Short,
    /// Eight letters or more: 1.35.
    Long,
    /// 1.
    Other,
}

impl<'a> Comparison<'a> for EvretWords<'a> {
    type Text = Text;
    type Answer = Answer;

    fn new(options: &'a OverlapOptions) -> Self {
        Self { options, vocabulary: Vocabulary::new(options), kinds: Vec::new() }
    }

    fn text(&mut self, text: &'a str) -> Text {
        let lower = text.to_lowercase();
        let (mut counted, mut set, mut negates) = (Vec::new(), WordSet::default(), false);
        for word in words_of(&lower) {
            negates |= NEGATIONS.contains(&word);
            let number = self.vocabulary.number(word);
            if self.kinds.len() <= number as usize {
                self.kinds.push(Kind::of(word));
            }
            if self.vocabulary.counted(number).is_some() && set.insert(number) {
                counted.push(number);
            }
        }
        Text { folded: with_single_spaces(lower), counted, set, negates }
    }

    fn answer(&mut self, text: Text) -> Answer {
        let mut phrases = Phrases::default();
        for word in words_of(&text.folded) {
            let number = self.vocabulary.number(word);
            if self.vocabulary.counted(number).is_some() {
                phrases.push(word);
            }
        }
        Answer {
            weight: self.weight(text.counted.iter().copied()),
            whole: Finder::new(text.folded.as_bytes()).into_owned(),
            text,
            phrases,
            finders: Default::default(),
        }
    }

    fn decide(&self, query: &Text, answer: &Answer, retrieved: &Text) -> TextMatch {
        let by = |matches, step| TextMatch { matches, step };
        let (expected, passage) = (&answer.text, retrieved.folded.as_str());
        if expected.folded == passage {
            return by(true, MatchStep::Exact);
        }
        if expected.negates != retrieved.negates {
            return by(false, MatchStep::Negation);
        }
        if !expected.folded.is_empty() && !passage.is_empty() {
            if answer.whole.find(passage.as_bytes()).is_some() {
                return by(true, MatchStep::AnswerInPassage);
            }
            if expected.folded.contains(passage) {
                return by(true, MatchStep::PassageInAnswer);
            }
        }
        if expected.counted.is_empty() || retrieved.counted.is_empty() {
            return by(false, MatchStep::NoWords);
        }
        let (shared, needed) = (retrieved.set.shared(&expected.counted), self.options.min_tokens);
        if shared < needed {
            return by(false, MatchStep::TooFewShared { shared, needed });
        }
        let both = || expected.counted.iter().copied().filter(|word| retrieved.set.holds(*word));
        let mut score = self.weight(both()) / answer.weight;
        score += answer.phrase_bonus(passage);
        if self.options.query_boost && both().any(|word| query.set.holds(word)) {
            score += QUERY_BONUS;
        }
        let score = score.min(1.0);
        by(score >= self.options.threshold, MatchStep::Score(score))
    }
}

impl EvretWords<'_> {
    /// The sum of weights, rounded once: three kinds of weights are multiples of a quarter, and the product of the
    /// fourth is added to their exact sum without being rounded before.
    fn weight(&self, words: impl Iterator<Item = u32> + Clone) -> f64 {
        let of = |kind| {
            let is = |word: &u32| self.kinds.get(*word as usize) == Some(&kind);
            words.clone().filter(is).count() as f64
        };
        let quarters = of(Kind::Number) * 1.5 + of(Kind::Short) * 0.75 + of(Kind::Other);
        of(Kind::Long).mul_add(1.35, quarters)
    }
}

impl Kind {
    fn of(word: &str) -> Self {
        match word.len() {
            _ if word.bytes().all(|byte| byte.is_ascii_digit()) => Self::Number,
            ..=2 => Self::Short,
            8.. => Self::Long,
            _ => Self::Other,
        }
    }
}

impl Phrases {
    fn push(&mut self, word: &str) {
        if !self.joined.is_empty() {
            self.joined.push(' ');
        }
        let start = self.joined.len();
        self.joined.push_str(word);
        self.words.push((start, self.joined.len()));
    }

    /// Finds each run of so many words.
    fn finders(&self, size: usize) -> Vec<Finder<'static>> {
        let phrase = |words: &[(usize, usize)]| {
            let phrase = self.joined.get(words.first()?.0..words.last()?.1)?;
            Some(Finder::new(phrase.as_bytes()).into_owned())
        };
        self.words.windows(size).filter_map(phrase).collect()
    }
}

/// The words of a text in lower case: runs of a to z and digits.
fn words_of(text: &str) -> impl Iterator<Item = &str> {
    let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    text.split(move |c: char| !u8::try_from(c).is_ok_and(is_word)).filter(|word| !word.is_empty())
}

/// The words of a text with one space between them, split where Python splits: at the separators of ASCII, too.
fn with_single_spaces(text: String) -> String {
    // Most texts are so already.
    let edges = text.starts_with(' ') || text.ends_with(' ');
    if !edges && text.bytes().all(|byte| (b' '..0x80).contains(&byte)) && !text.contains("  ") {
        return text;
    }
    let is_space = |c: char| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c);
    let mut joined = String::with_capacity(text.len());
    for word in text.split(is_space).filter(|word| !word.is_empty()) {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(word);
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{OverlapOptionsError, TokenOverlap};

    fn judge(min_tokens: usize, expected: &str, retrieved: &str) -> TextMatch {
        let options = OverlapOptions { min_tokens, ..OverlapOptions::of_evret() };
        let judge = TokenOverlap::new(options).unwrap();
        judge.judge_all("what is a vector index", &[expected], &[retrieved])[0]
    }

    /// From evret 0.0.3 on Python 3.12, `TokenOverlapJudge(min_tokens=...).score(context)`.
    #[test]
    fn scores_are_those_of_evret() {
        for (min_tokens, expected, retrieved, score) in GOLDEN {
            let found = judge(min_tokens, expected, retrieved);
            let own = match found.step {
                MatchStep::Score(own) => own,
                MatchStep::Exact | MatchStep::AnswerInPassage | MatchStep::PassageInAnswer => 1.0,
                _ => 0.0,
            };
            assert_eq!(own, score, "{expected:?} {retrieved:?}: {found:?}");
            assert_eq!(found.matches, score >= 0.6, "{expected:?}");
        }
    }

    const GOLDEN: [(usize, &str, &str, f64); 12] = [
        (1, "the index stores vectors", "an index of documents", 0.43333333333333335),
        (
            2,
            "approximate nearest neighbour search trades recall for speed",
            "Nearest neighbour search, approximate or exact, trades speed",
            0.9701298701298701,
        ),
        (2, "founded in 1999 by two engineers in Zurich", "In Zurich two engineers founded it: 1999", 1.0),
        (1, "a vector index is not a database", "the vector index is a database", 0.0),
        (
            1,
            "the vector database never stores text",
            "the store cannot hold a vector database of text",
            0.7761682242990655,
        ),
        (15, "short answer here", "an answer that is short", 0.0),
        (1, "vector", "the VECTORS of it", 1.0),
        (1, "vector databases", "a", 1.0),
        (
            3,
            "alphabet alphabets alphabetic other words",
            "alphabet, alphabets and alphabetic",
            0.801980198019802,
        ),
        (1, "it is the", "zz", 0.0),
        (2, "x1 y2 z3 longword1 99", "longword1 99 x1", 0.7558823529411766),
        (1, "naïve café search", "search the caf na ve", 1.0),
    ];

    #[test]
    fn it_does_not_stem() {
        let options =
            OverlapOptions { stemming: Some(crate::Stemming::ENGLISH), ..OverlapOptions::of_evret() };
        assert_eq!(TokenOverlap::new(options), Err(OverlapOptionsError::Stemming));
    }
}
