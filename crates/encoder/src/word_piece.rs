//! Splits texts into word pieces, the tokens of BERT's uncased models.

use icu_normalizer::DecomposingNormalizerBorrowed;
use icu_properties::CodePointMapData;
use icu_properties::props::GeneralCategory;
use rustc_hash::FxHashMap;

/// A word of more letters is one unknown token (`max_input_chars_per_word` of BERT's tokenizer).
const LONGEST_WORD: usize = 100;

/// BERT's uncased tokenizer, WordPiece (Wu and others, 2016, <https://arxiv.org/abs/1609.08144>, as
/// `BertTokenizer` of Hugging Face's tokenizers implements it): the same tokens from the same vocabulary.
///
/// Text is cleaned of control characters, Chinese characters stand alone, accents are dropped, letters lowered; then
/// each word is split, from its left, into the longest pieces that the vocabulary has.
#[derive(Debug, Clone)]
pub struct WordPiece {
    tokens: FxHashMap<Box<str>, i32>,
    unknown: i32,
    first: i32,
    last: i32,
}

impl WordPiece {
    /// Takes a vocabulary: one token a line, the first is token 0. `None` if it lacks `[UNK]`, `[CLS]` or `[SEP]`.
    pub fn of_vocabulary(vocabulary: &str) -> Option<Self> {
        let tokens: FxHashMap<Box<str>, i32> = vocabulary.lines().map(Box::from).zip(0..).collect();
        let of = |token| tokens.get(token).copied();
        let (unknown, first, last) = (of("[UNK]")?, of("[CLS]")?, of("[SEP]")?);
        Some(Self { tokens, unknown, first, last })
    }

    /// Returns the tokens of a text between `[CLS]` and `[SEP]`, `longest` at most with both, and whether the text has
    /// more.
    pub fn encode(&self, text: &str, longest: usize) -> (Vec<i32>, bool) {
        let room = longest.max(2) - 1;
        let mut tokens = vec![self.first];
        let mut rest = Words::of(text);
        let cut = loop {
            let Some(word) = rest.next() else { break false };
            self.pieces(&word, &mut tokens);
            if tokens.len() > room {
                break true;
            }
        };
        tokens.truncate(room);
        tokens.push(self.last);
        (tokens, cut)
    }

    fn pieces(&self, word: &str, tokens: &mut Vec<i32>) {
        let before = tokens.len();
        if word.chars().count() > LONGEST_WORD {
            tokens.push(self.unknown);
            return;
        }
        let mut start = 0;
        let mut piece = String::new();
        while start < word.len() {
            let ends = word.get(start..).into_iter().flat_map(|rest| {
                rest.char_indices().rev().map(|(at, letter)| start + at + letter.len_utf8())
            });
            let longest = ends.into_iter().find_map(|end| {
                piece.clear();
                if start > 0 {
                    piece.push_str("##");
                }
                piece.push_str(word.get(start..end)?);
                Some((*self.tokens.get(piece.as_str())?, end))
            });
            let Some((token, end)) = longest else {
                // One piece that the vocabulary lacks makes the whole word unknown.
                tokens.truncate(before);
                tokens.push(self.unknown);
                return;
            };
            tokens.push(token);
            start = end;
        }
    }
}

/// The words of a text as BERT's normalizer and pre-tokenizer make them, one by one.
struct Words<I: Iterator<Item = char>> {
    letters: std::iter::Peekable<I>,
    categories: icu_properties::CodePointMapDataBorrowed<'static, GeneralCategory>,
}

impl Words<std::vec::IntoIter<char>> {
    fn of(text: &str) -> Words<impl Iterator<Item = char>> {
        let categories = CodePointMapData::<GeneralCategory>::new();
        let clean = text.chars().filter_map(move |letter| clean(letter, categories.get(letter)));
        let apart = clean.flat_map(|letter| {
            let alone = is_chinese(letter);
            [alone.then_some(' '), Some(letter), alone.then_some(' ')].into_iter().flatten()
        });
        let decomposed = DecomposingNormalizerBorrowed::new_nfd().normalize_iter(apart);
        let bare =
            decomposed.filter(move |letter| categories.get(*letter) != GeneralCategory::NonspacingMark);
        Words { letters: bare.flat_map(char::to_lowercase).peekable(), categories }
    }
}

impl<I: Iterator<Item = char>> Iterator for Words<I> {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        while self.letters.next_if(|letter| letter.is_whitespace()).is_some() {}
        let mut word = String::from(self.letters.next()?);
        if word.chars().all(|letter| is_punctuation(letter, self.categories.get(letter))) {
            return Some(word);
        }
        let categories = self.categories;
        let inside =
            |letter: &char| !letter.is_whitespace() && !is_punctuation(*letter, categories.get(*letter));
        while let Some(letter) = self.letters.next_if(inside) {
            word.push(letter);
        }
        Some(word)
    }
}

/// Drops characters without a shape; every kind of space is a space.
fn clean(letter: char, category: GeneralCategory) -> Option<char> {
    match letter {
        '\t' | '\n' | '\r' => Some(' '),
        '\0' | '\u{fffd}' => None,
        _ if letter.is_whitespace() => Some(' '),
        _ => match category {
            GeneralCategory::Control | GeneralCategory::Format | GeneralCategory::PrivateUse => None,
            _ => Some(letter),
        },
    }
}

fn is_punctuation(letter: char, category: GeneralCategory) -> bool {
    use GeneralCategory::{
        ClosePunctuation, ConnectorPunctuation, DashPunctuation, FinalPunctuation, InitialPunctuation,
        OpenPunctuation, OtherPunctuation,
    };
    letter.is_ascii_punctuation()
        || matches!(
            category,
            ConnectorPunctuation
                | DashPunctuation
                | OpenPunctuation
                | ClosePunctuation
                | InitialPunctuation
                | FinalPunctuation
                | OtherPunctuation
        )
}

/// The blocks of Chinese characters that BERT's tokenizer names; kana and hangul are written with others in a word.
fn is_chinese(letter: char) -> bool {
    matches!(letter,
        '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '\u{20000}'..='\u{2a6df}' | '\u{2a700}'..='\u{2b73f}'
        | '\u{2b740}'..='\u{2b81f}' | '\u{2b920}'..='\u{2ceaf}' | '\u{f900}'..='\u{faff}' | '\u{2f800}'..='\u{2fa1f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    const VOCABULARY: &str = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nun\n##aff\n##able\nhello\nworld\n,\n\
                              日\n本\ncafe\n##s\n'\nt\ndon\n…\nß\nii\n##本\n#\n##\n";

    fn tokens(text: &str) -> Vec<i32> {
        WordPiece::of_vocabulary(VOCABULARY).unwrap().encode(text, 64).0
    }

    /// The tokens of `BertWordPieceTokenizer` (Hugging Face tokenizers 0.23.3) with this vocabulary.
    #[test]
    fn tokens_are_those_of_the_reference() {
        assert_eq!(tokens("Hello, W\u{d6}RLD"), [2, 8, 10, 9, 3]);
        assert_eq!(tokens("unaffable unaffabl"), [2, 5, 6, 7, 1, 3]);
        assert_eq!(tokens("\u{65e5}\u{672c} hello\u{65e5}"), [2, 11, 12, 8, 11, 3]);
        assert_eq!(tokens("Caf\u{e9}s CAF\u{c9}S cafe\u{301}"), [2, 13, 14, 13, 14, 13, 3]);
        assert_eq!(tokens("don't DON\u{2019}T"), [2, 17, 15, 16, 17, 1, 16, 3]);
        assert_eq!(tokens("hello\u{200b}world\u{feff} he\u{ad}llo"), [2, 1, 8, 3]);
        assert_eq!(tokens("hello\u{2026}world \u{df} \u{2161} ii"), [2, 8, 18, 9, 19, 1, 20, 3]);
        assert_eq!(tokens("## # \u{0}hello\u{9}world\u{3000}hello"), [2, 22, 22, 22, 8, 9, 8, 3]);
        assert_eq!(tokens("\u{130}i\u{fb01} hello\u{2028}world"), [2, 1, 8, 9, 3]);
        assert_eq!(tokens("a\u{301}\u{0}\u{fffd}un"), [2, 1, 3]);
        // Not the reference's: a text cannot write a mark.
        assert_eq!(tokens("[CLS]"), [2, 1, 1, 1, 3]);
    }

    #[test]
    fn a_long_text_is_cut_and_that_is_said() {
        let pieces = WordPiece::of_vocabulary(VOCABULARY).unwrap();
        assert_eq!(pieces.encode("hello world", 4), (vec![2, 8, 9, 3], false));
        assert_eq!(pieces.encode("hello world hello", 4), (vec![2, 8, 9, 3], true));
        assert_eq!(pieces.encode("unaffable", 4), (vec![2, 5, 6, 3], true));
        assert_eq!(pieces.encode("", 4), (vec![2, 3], false));
        assert_eq!(pieces.encode(&"a".repeat(101), 4), (vec![2, 1, 3], false));
    }

    #[test]
    fn a_vocabulary_needs_its_marks() {
        assert!(WordPiece::of_vocabulary("[UNK]\n[CLS]\n").is_none());
    }
}
