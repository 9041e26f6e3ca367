//! The language of the texts that BM25 searches.

use std::fmt;

#[cfg(feature = "indexes")]
use rust_stemmers::Algorithm;
use serde::{Deserialize, Serialize};

#[cfg(feature = "indexes")]
use crate::words::Words;

/// The language of stop words, which do not count (NLTK's lists), and of endings, which are removed (Snowball's
/// stemmers).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(strum::IntoStaticStr, strum::EnumString, strum::VariantArray, strum::VariantNames)]
#[strum(serialize_all = "lowercase", parse_err_ty = UnknownLanguage, parse_err_fn = UnknownLanguage::of)]
#[expect(missing_docs, reason = "a language is its name")]
pub enum Language {
    Arabic,
    Danish,
    Dutch,
    #[default]
    English,
    French,
    German,
    Greek,
    Hungarian,
    Italian,
    Norwegian,
    Portuguese,
    Romanian,
    Russian,
    Spanish,
    Swedish,
    /// There is a stemmer, and no list of stop words.
    Tamil,
    Turkish,
    /// Any other: every word counts, unchanged but for case and accents.
    None,
}

impl Language {
    /// Every language, in the order of their names; `none` is the last.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// Their names.
    pub const NAMES: &'static [&'static str] = <Self as strum::VariantNames>::VARIANTS;

    /// Returns its name in a study.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the function that splits a text into words.
    ///
    /// Letters lose their accents only where the stemmer and the stop words do not need them: for English, and without
    /// a language. The stemmers and stop words of other languages have accents and umlauts.
    #[cfg(feature = "indexes")]
    pub(crate) fn words(self) -> Words {
        let plain = matches!(self, Self::English | Self::None);
        let (stemmer, stop_words) = self.snowball().unzip();
        Words::new(stemmer, stop_words, plain)
    }

    /// Returns the language's stemmer and the code of its stop words; `None` without a language.
    #[cfg(feature = "indexes")]
    fn snowball(self) -> Option<(Algorithm, &'static str)> {
        Some(match self {
            Self::Arabic => (Algorithm::Arabic, "ar"),
            Self::Danish => (Algorithm::Danish, "da"),
            Self::Dutch => (Algorithm::Dutch, "nl"),
            Self::English => (Algorithm::English, "en"),
            Self::French => (Algorithm::French, "fr"),
            Self::German => (Algorithm::German, "de"),
            Self::Greek => (Algorithm::Greek, "el"),
            Self::Hungarian => (Algorithm::Hungarian, "hu"),
            Self::Italian => (Algorithm::Italian, "it"),
            Self::Norwegian => (Algorithm::Norwegian, "no"),
            Self::Portuguese => (Algorithm::Portuguese, "pt"),
            Self::Romanian => (Algorithm::Romanian, "ro"),
            Self::Russian => (Algorithm::Russian, "ru"),
            Self::Spanish => (Algorithm::Spanish, "es"),
            Self::Swedish => (Algorithm::Swedish, "sv"),
            Self::Tamil => (Algorithm::Tamil, "ta"),
            Self::Turkish => (Algorithm::Turkish, "tr"),
            Self::None => return None,
        })
    }
}

/// Prints the language's name.
impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no language's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a language that bm25 knows; there are {all}, the last for any other",
    all = Language::NAMES.join(", ")
)]
pub struct UnknownLanguage(pub String);

impl UnknownLanguage {
    fn of(name: &str) -> Self {
        Self(name.to_owned())
    }
}

#[cfg(test)]
#[cfg(feature = "indexes")]
mod tests {
    use bm25::Tokenizer as _;

    use super::*;

    #[test]
    fn every_language_has_its_name() {
        for &language in Language::ALL {
            assert_eq!(language.to_string().parse(), Ok(language));
            assert_eq!(serde_json::to_string(&language).unwrap(), format!("\"{language}\""));
        }
        let said = "klingon".parse::<Language>().unwrap_err().to_string();
        assert!(
            said.starts_with("\"klingon\" is not a language that bm25 knows; there are arabic, danish"),
            "{said}"
        );
    }

    /// Stems of the lists of Snowball's own pages, https://snowballstem.org/algorithms; stop words of NLTK's lists.
    #[test]
    fn words_are_those_of_the_language() {
        for (language, text, words) in [
            (Language::English, "the running Cafés", &["run", "cafe"][..]),
            (Language::German, "die Häuser und aufgeregtes", &["haus", "aufgeregt"]),
            (Language::French, "les continuellement", &["continuel"]),
            (Language::Spanish, "el torneadas", &["torn"]),
            (Language::Russian, "и важная книги", &["важн", "книг"]),
            (Language::None, "the running Cafés", &["the", "running", "cafes"]),
        ] {
            assert_eq!(language.words().tokenize(text), words, "{language}");
        }
    }
}
