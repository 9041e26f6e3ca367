//! Splits texts into words for BM25.

use std::borrow::Cow;

use bm25::Tokenizer;
use rust_stemmers::{Algorithm, Stemmer};
use rustc_hash::FxHashSet;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;
use unicode_segmentation::UnicodeSegmentation as _;

/// Splits a text into words: Unicode's, in lower case, without stop words, stemmed.
pub(crate) struct Words {
    /// Whether Latin letters lose their accents.
    plain: bool,
    stop_words: FxHashSet<&'static str>,
    stemmer: Option<Stemmer>,
}

impl Words {
    /// The words of a language with this stemmer and the stop words of this ISO code, where there are some; with
    /// `plain` letters in place of those with accents.
    pub(crate) fn new(stemmer: Option<Algorithm>, stop_words: Option<&str>, plain: bool) -> Self {
        let stop_words = stop_words.map(|language| llull_stopwords::stop_words(language).collect());
        Self { plain, stop_words: stop_words.unwrap_or_default(), stemmer: stemmer.map(Stemmer::create) }
    }
}

impl Tokenizer for Words {
    fn tokenize(&self, text: &str) -> Vec<String> {
        let text = if self.plain { without_accents(text) } else { Cow::Borrowed(text) };
        let text = text.to_lowercase();
        let words = text.unicode_words().filter(|word| !self.stop_words.contains(word));
        match &self.stemmer {
            Some(stemmer) => words.map(|word| stemmer.stem(word).into_owned()).collect(),
            None => words.map(str::to_owned).collect(),
        }
    }
}

/// Writes Latin letters without accents, and typographic apostrophes as `'`, which stop words have. Other scripts stay
/// as they are.
fn without_accents(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            letter if letter.is_ascii() => plain.push(letter),
            '‘' | '’' | '‛' | 'ʼ' => plain.push('\''),
            'ß' => plain.push_str("ss"),
            'æ' | 'Æ' => plain.push_str("ae"),
            'œ' | 'Œ' => plain.push_str("oe"),
            'ø' | 'Ø' => plain.push('o'),
            'đ' | 'Đ' | 'ð' | 'Ð' => plain.push('d'),
            'ł' | 'Ł' => plain.push('l'),
            'þ' | 'Þ' => plain.push_str("th"),
            'ı' => plain.push('i'),
            mark if is_combining_mark(mark) && plain.ends_with(|last: char| last.is_ascii()) => {}
            letter => push_decomposed(&mut plain, letter),
        }
    }
    Cow::Owned(plain)
}

/// Appends the base characters of a letter, without its marks, if they are Latin letters or digits; otherwise the
/// letter.
fn push_decomposed(plain: &mut String, letter: char) {
    let mut parts = std::iter::once(letter).nfkd();
    let is_latin = parts.next().is_some_and(|first| first.is_ascii_alphanumeric());
    if !is_latin {
        return plain.push(letter);
    }
    for part in std::iter::once(letter).nfkd().filter(|part| !is_combining_mark(*part)) {
        plain.push(if part.is_ascii() { part } else { ' ' });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latin_letters_lose_their_accents_and_others_keep_theirs() {
        for (text, plain) in [
            ("Ångström naïve Žižek", "Angstrom naive Zizek"),
            ("e\u{301}te\u{301}", "ete"),
            ("Straße, œuvre, Øre, Łódź, Þór", "Strasse, oeuvre, ore, lodz, thor"),
            ("don’t", "don't"),
            ("ﬁne １２ ½", "fine 12 1 2"),
            ("й が 한국 日本 ά", "й が 한국 日本 ά"),
        ] {
            assert_eq!(without_accents(text).to_lowercase(), plain.to_lowercase());
        }
    }
}
