//! The parameters of token overlap.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use llull_stopwords::stop_words;
use rust_stemmers::Algorithm;
use rustc_hash::FxHashSet;

/// NLTK's stop words, which its file has by subject and not by letter.
static ENGLISH: LazyLock<FxHashSet<&str>> = LazyLock::new(|| stop_words("en").collect());

/// The parameters of token overlap, under the names of its description.
#[derive(Debug, Clone, PartialEq)]
pub struct OverlapOptions {
    /// How many different words the texts have to share, from 1.
    pub min_tokens: usize,
    /// Which share of the expected answer's different words the retrieved text has to repeat, above 0 and at most 1.
    pub threshold: f64,
    /// Whether three quarters of the threshold are enough where the query has one of the shared words.
    pub query_boost: bool,
    /// The words that do not count.
    pub stop_words: StopWords,
    /// The language whose endings are taken off before words are compared, by Snowball's stemmer.
    pub stemming: Option<Stemming>,
    /// Whether texts are read and compared as by evret 0.0.3, which never stems.
    pub evret: bool,
}

/// A language of Snowball's stemmers; parsed from its English name in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stemming(pub(super) Algorithm);

impl Stemming {
    /// The languages, with their names.
    const ALL: [(&str, Algorithm); 18] = [
        ("arabic", Algorithm::Arabic),
        ("danish", Algorithm::Danish),
        ("dutch", Algorithm::Dutch),
        ("english", Algorithm::English),
        ("finnish", Algorithm::Finnish),
        ("french", Algorithm::French),
        ("german", Algorithm::German),
        ("greek", Algorithm::Greek),
        ("hungarian", Algorithm::Hungarian),
        ("italian", Algorithm::Italian),
        ("norwegian", Algorithm::Norwegian),
        ("portuguese", Algorithm::Portuguese),
        ("romanian", Algorithm::Romanian),
        ("russian", Algorithm::Russian),
        ("spanish", Algorithm::Spanish),
        ("swedish", Algorithm::Swedish),
        ("tamil", Algorithm::Tamil),
        ("turkish", Algorithm::Turkish),
    ];

    /// Their names.
    fn names() -> String {
        Self::ALL.map(|(name, _)| name).join(", ")
    }

    /// English.
    pub const ENGLISH: Self = Self(Algorithm::English);
}

impl FromStr for Stemming {
    type Err = OverlapOptionsError;

    fn from_str(name: &str) -> Result<Self, OverlapOptionsError> {
        let found = Self::ALL.into_iter().find(|(known, _)| *known == name);
        found
            .map(|(_, language)| Self(language))
            .ok_or_else(|| OverlapOptionsError::Language(name.to_owned()))
    }
}

/// Which words do not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopWords {
    /// Every word counts.
    None,
    /// NLTK's English list does not.
    English,
}

/// Prints `none` or `english`.
impl fmt::Display for StopWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::English => f.write_str("english"),
        }
    }
}

/// Prints the language's name.
impl fmt::Display for Stemming {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = Self::ALL.into_iter().find(|(_, language)| *language == self.0);
        f.write_str(named.map_or("", |(name, _)| name))
    }
}

impl StopWords {
    pub(crate) fn holds(&self, word: &str) -> bool {
        match self {
            Self::None => false,
            Self::English => ENGLISH.contains(word),
        }
    }
}

impl Default for OverlapOptions {
    /// At least 3 shared words, a threshold of 0.6, the query's boost; every word counts, unchanged.
    fn default() -> Self {
        Self {
            min_tokens: 3,
            threshold: 0.6,
            query_boost: true,
            stop_words: StopWords::None,
            stemming: None,
            evret: false,
        }
    }
}

impl OverlapOptions {
    /// evret 0.0.3's comparison and its defaults: 15 shared words, 0.6, the query's boost, English stop words.
    pub fn of_evret() -> Self {
        Self { min_tokens: 15, stop_words: StopWords::English, evret: true, ..Self::default() }
    }

    /// Checks the ranges.
    ///
    /// # Errors
    /// Returns an error if `min_tokens` is 0, `threshold` is not above 0 and at most 1, or evret would have to stem.
    pub fn check(&self) -> Result<(), OverlapOptionsError> {
        if self.min_tokens == 0 {
            return Err(OverlapOptionsError::Problem(
                "min_tokens is 0, and two texts that share no word do not match: write 1 or more".to_owned(),
            ));
        }
        if !(self.threshold > 0.0 && self.threshold <= 1.0) {
            return Err(OverlapOptionsError::Problem(format!(
                "the threshold is {}, and it is a share of words: write a number above 0 and at most 1",
                self.threshold
            )));
        }
        if self.evret && self.stemming.is_some() {
            return Err(OverlapOptionsError::Stemming);
        }
        Ok(())
    }
}

/// Why these are no parameters of token overlap.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum OverlapOptionsError {
    /// There is no stemmer of this language.
    #[error("there is no stemmer of {0:?}; the languages are {languages}", languages = Stemming::names())]
    Language(String),
    /// The evret variant has no stemming.
    #[error("token-overlap-evret does not stem, as evret does not: leave stemming out, or use token-overlap")]
    Stemming,
    /// A problem with its place and its remedy, as text.
    #[error("{0}")]
    Problem(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_a_stemmer() {
        assert!(Stemming::ALL.iter().all(|(name, language)| name.parse() == Ok(Stemming(*language))));
        assert_eq!("english".parse(), Ok(Stemming::ENGLISH));
        let message = "klingon".parse::<Stemming>().unwrap_err().to_string();
        assert!(
            message.starts_with("there is no stemmer of \"klingon\"; the languages are arabic,"),
            "{message}"
        );
    }
}
