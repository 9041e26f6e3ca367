//! Token overlap: decides by shared words whether a text contains an answer.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use llull_stopwords::stop_words;
use rust_stemmers::Algorithm;
use rustc_hash::FxHashSet;

use super::evret::EvretWords;
use super::shared_words::{Comparison, SharedWords};

/// A judge by shared words, in these steps:
///
/// 1. the texts are the same but for case and spaces: a match;
/// 2. one contains the other as whole words: a match. A retrieved text that is a piece of the answer has to have the
///    words that step 3 requires;
/// 3. they share fewer than `min_tokens` different words: no match. For an answer with fewer words, all of them are
///    required;
/// 4. the retrieved text repeats a share of the answer's different words of at least `threshold`: a match;
/// 5. with `query_boost`, and where the query has one of the shared words, three quarters of it are enough.
///
/// Words are runs of letters and digits of any script, in lower case, in Unicode's NFKC; a character of a script
/// without spaces is a word.
///
/// With [`OverlapOptions::evret`] the words and the steps are those of evret 0.0.3, for figures to compare with it:
/// equal texts match; texts of which one negates do not; texts of which one is a substring of the other do; else a
/// weighted share of the answer's words, plus a bonus for its phrases and one for the query's words, has to reach the
/// threshold. Words are of the letters a to z and digits only. That repeats evret's answers, with their faults: one
/// letter matches every text that has it, and an answer with fewer words than `min_tokens` matches as a substring only.
///
/// ```
/// use llull_judge::{OverlapOptions, TokenOverlap};
///
/// let judge = TokenOverlap::new(OverlapOptions::default())?;
/// let expected = "RAG combines retrieval with generation for better accuracy";
/// let retrieved = "RAG is a technique that combines retrieval with generation";
/// let found = judge.judge_all("What is RAG?", &[expected], &[retrieved]);
/// assert!(found[0].matches);
/// assert_eq!(found[0].step.to_string(), "5 of the answer's 8 words");
/// # Ok::<(), llull_judge::OverlapOptionsError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct TokenOverlap {
    options: OverlapOptions,
}

impl TokenOverlap {
    /// The judge with these parameters.
    ///
    /// # Errors
    /// Returns an error if a parameter is outside its range, or words are to be stemmed as evret never does.
    pub fn new(options: OverlapOptions) -> Result<Self, OverlapOptionsError> {
        options.check()?;
        Ok(Self { options })
    }

    /// Returns its name: `token-overlap` or `token-overlap-evret`.
    pub fn name(&self) -> &'static str {
        if self.options.evret { "token-overlap-evret" } else { "token-overlap" }
    }

    /// Returns the parameters.
    pub fn options(&self) -> &OverlapOptions {
        &self.options
    }

    /// Judges every retrieved text of a query by every expected answer, each text read once: for each retrieved text
    /// in turn, one judgment for each answer.
    pub fn judge_all(&self, query: &str, expected: &[&str], retrieved: &[&str]) -> Vec<TextMatch> {
        if self.options.evret {
            self.compare::<EvretWords<'_>>(query, expected, retrieved)
        } else {
            self.compare::<SharedWords<'_>>(query, expected, retrieved)
        }
    }

    fn compare<'a, C: Comparison<'a>>(
        &'a self,
        query: &'a str,
        expected: &[&'a str],
        retrieved: &[&'a str],
    ) -> Vec<TextMatch> {
        let mut words = C::new(&self.options);
        let query = words.text(query);
        let mut answers = Vec::with_capacity(expected.len());
        for text in expected {
            let text = words.text(text);
            answers.push(words.answer(text));
        }
        let mut judged = Vec::with_capacity(answers.len() * retrieved.len());
        for text in retrieved {
            let text = words.text(text);
            judged.extend(answers.iter().map(|answer| words.decide(&query, answer, &text)));
        }
        judged
    }
}

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

/// Whether a retrieved text holds an expected answer, and which step decided it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextMatch {
    /// Whether it matches.
    pub matches: bool,
    /// The step that decided.
    pub step: MatchStep,
}

/// The step of an algorithm that decided. It prints as a phrase.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MatchStep {
    /// The texts are the same but for case and spaces.
    Exact,
    /// The retrieved text contains the expected answer.
    AnswerInPassage,
    /// The expected answer contains the retrieved text.
    PassageInAnswer,
    /// One text negates and the other does not (`token-overlap-evret` only).
    Negation,
    /// One of the texts has no word that counts.
    NoWords,
    /// They share fewer words than required.
    TooFewShared {
        /// How many different words they share.
        shared: usize,
        /// The required number.
        needed: usize,
    },
    /// The share of the expected answer's words decided.
    Overlap {
        /// How many different words they share.
        shared: usize,
        /// How many different words the expected answer has.
        expected: usize,
    },
    /// The query has one of the shared words, and the share reached the relaxed threshold.
    QueryBoost {
        /// How many different words they share.
        shared: usize,
        /// How many different words the expected answer has.
        expected: usize,
    },
    /// The score decided (`token-overlap-evret` only), from 0 to 1.
    Score(f64),
}

impl fmt::Display for MatchStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact => f.write_str("the same text"),
            Self::AnswerInPassage => f.write_str("the passage has the answer"),
            Self::PassageInAnswer => f.write_str("the passage is in the answer"),
            Self::Negation => f.write_str("one of the texts negates"),
            Self::NoWords => f.write_str("no word that counts"),
            Self::TooFewShared { shared, needed } => {
                write!(f, "{shared} shared words, and {needed} are needed")
            }
            Self::Overlap { shared, expected } => {
                write!(f, "{shared} of the answer's {expected} words")
            }
            Self::QueryBoost { shared, expected } => {
                write!(f, "{shared} of the answer's {expected} words, one of them the query's")
            }
            Self::Score(score) => write!(f, "score {score:.3}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn judge(options: OverlapOptions, expected: &str, retrieved: &str) -> TextMatch {
        TokenOverlap::new(options).unwrap().judge_all("What is RAG?", &[expected], &[retrieved])[0]
    }

    fn by_default(expected: &str, retrieved: &str) -> MatchStep {
        judge(OverlapOptions::default(), expected, retrieved).step
    }

    const RAG: &str = "RAG combines retrieval with generation for better accuracy";
    const AUGMENTED: &str = "Retrieval-augmented generation improves LLM responses";
    const TECHNIQUE: &str = "RAG is a technique that combines retrieval with generation";

    /// The worked example of evret's documentation, "Judge System Design". It calls the second context a match, which
    /// its algorithm does not: two of six words are shared.
    #[test]
    fn the_worked_example() {
        let found = |min_tokens, threshold| {
            let options = OverlapOptions { min_tokens, threshold, ..OverlapOptions::default() };
            [
                (RAG, TECHNIQUE),
                (AUGMENTED, TECHNIQUE),
                (RAG, "Vector databases store embeddings"),
                (AUGMENTED, "Vector databases store embeddings"),
            ]
            .map(|(expected, retrieved)| judge(options.clone(), expected, retrieved).matches)
        };
        assert_eq!(found(3, 0.6), [true, false, false, false]);
        assert_eq!(found(5, 0.625), [true, false, false, false]);
        // The query has "rag", so that three quarters of the threshold are enough: .625 / .75 is .8333.
        assert_eq!(found(5, 0.83), [true, false, false, false]);
        assert_eq!(found(5, 0.84), [false; 4]);
        assert_eq!(found(6, 0.6), [false; 4]);
        assert_eq!(by_default(AUGMENTED, TECHNIQUE), MatchStep::TooFewShared { shared: 2, needed: 3 });
    }

    #[test]
    fn each_step_decides() {
        let answer = "one two three four five six seven eight nine ten";
        assert_eq!(by_default("  One TWO\nthree", "one two three"), MatchStep::Exact);
        assert_eq!(by_default("→", "→"), MatchStep::Exact);
        assert_eq!(by_default("one, two", "zero one two three"), MatchStep::AnswerInPassage);
        assert_eq!(by_default(answer, "Four, five, six."), MatchStep::PassageInAnswer);
        assert_eq!(by_default(answer, "ten two"), MatchStep::TooFewShared { shared: 2, needed: 3 });
        assert_eq!(by_default("?", "one two"), MatchStep::NoWords);
        let overlap = |shared| MatchStep::Overlap { shared, expected: 10 };
        assert_eq!(judge(OverlapOptions::default(), answer, "six five four three two one").step, overlap(6));
        let relaxed = judge(
            OverlapOptions::default(),
            "rag two three four five six seven eight nine ten",
            "five four three two rag",
        );
        assert_eq!(
            relaxed,
            TextMatch { matches: true, step: MatchStep::QueryBoost { shared: 5, expected: 10 } }
        );
        let unboosted = OverlapOptions { query_boost: false, ..OverlapOptions::default() };
        let strict =
            judge(unboosted, "rag two three four five six seven eight nine ten", "five four three two rag");
        assert_eq!(strict, TextMatch { matches: false, step: overlap(5) });
    }

    /// 0.8 times 0.75 is 0.6000000000000001 in floating point.
    #[test]
    fn three_quarters_are_not_missed_by_rounding() {
        let options = OverlapOptions { threshold: 0.8, ..OverlapOptions::default() };
        assert!(judge(options, "rag alpha beta gamma delta", "beta alpha rag").matches);
    }

    #[test]
    fn an_answer_is_asked_for_no_more_words_than_it_has() {
        let options = OverlapOptions { min_tokens: 15, ..OverlapOptions::default() };
        let found = judge(options.clone(), "a dense vector index", "an index of vector kind: a dense one");
        assert_eq!(found, TextMatch { matches: true, step: MatchStep::Overlap { shared: 4, expected: 4 } });
        let found = judge(options, "a dense vector index", "index of vectors, dense");
        assert_eq!(found.step, MatchStep::TooFewShared { shared: 2, needed: 4 });
    }

    #[test]
    fn a_letter_is_contained_in_no_word_and_is_no_answer() {
        assert!(!judge(OverlapOptions::default(), RAG, "a").matches);
        assert!(!judge(OverlapOptions::default(), "a", "RAG combines retrieval").matches);
        assert!(!judge(OverlapOptions::default(), "is this a cat of mine", "a").matches);
        let stopped = OverlapOptions { stop_words: StopWords::English, ..OverlapOptions::default() };
        assert_eq!(judge(stopped, "a", "this is a cat").step, MatchStep::NoWords);
        // It is one where it is the whole answer: a language, an option of a question.
        assert_eq!(by_default("C", "written in C, not in D"), MatchStep::AnswerInPassage);
    }

    #[test]
    fn words_of_any_script() {
        assert_eq!(
            by_default("Größe über alles", "ÜBER ALLES GRÖSSE größe"),
            MatchStep::Overlap { shared: 3, expected: 3 }
        );
        assert_eq!(by_default("cafe\u{301} noir", "un café noir"), MatchStep::AnswerInPassage);
        assert_eq!(by_default("Ｆｕｌｌ width", "full width"), MatchStep::AnswerInPassage);
        assert_eq!(by_default("東京", "東京は日本の首都"), MatchStep::AnswerInPassage);
    }

    #[test]
    fn stop_words_and_endings_are_options() {
        let options =
            |stop_words, stemming| OverlapOptions { stop_words, stemming, ..OverlapOptions::default() };
        let (answer, passage) =
            ("the index stores the vectors of a document", "documents whose vector an index stored");
        assert!(!judge(options(StopWords::None, None), answer, passage).matches);
        let stemmed = judge(options(StopWords::English, Some(Stemming::ENGLISH)), answer, passage);
        assert_eq!(stemmed.step, MatchStep::Overlap { shared: 4, expected: 4 });
    }

    #[test]
    fn parameters_have_ranges() {
        let of = |min_tokens, threshold| {
            TokenOverlap::new(OverlapOptions { min_tokens, threshold, ..OverlapOptions::default() })
        };
        assert!(
            of(0, 0.5).is_err() && of(1, 0.0).is_err() && of(1, 1.1).is_err() && of(1, f64::NAN).is_err()
        );
        assert!(of(1, 1.0).is_ok());
    }

    fn with(min_tokens: usize, threshold: f64) -> OverlapOptions {
        OverlapOptions { min_tokens, threshold, ..OverlapOptions::default() }
    }

    proptest! {
        #[test]
        fn together_as_alone(
            query in "[a-d ]{0,6}",
            expected in prop::collection::vec("[a-e ]{0,9}", 0..4),
            retrieved in prop::collection::vec("[a-f ]{0,12}", 0..4),
            (min_tokens, threshold) in (1usize..5, 0.05f64..1.0),
        ) {
            let judge = TokenOverlap::new(with(min_tokens, threshold)).unwrap();
            let answers: Vec<&str> = expected.iter().map(String::as_str).collect();
            let texts: Vec<&str> = retrieved.iter().map(String::as_str).collect();
            let mut alone = Vec::new();
            for retrieved in &texts {
                alone.extend(answers.iter().flat_map(|answer| judge.judge_all(&query, &[answer], &[retrieved])));
            }
            prop_assert_eq!(judge.judge_all(&query, &answers, &texts), alone);
        }

        #[test]
        fn one_letter_matches_no_text_without_it(letter in "[a-z]", text in "\\PC{2,40}") {
            let mut words = text.split(|c: char| !c.is_alphanumeric());
            let has = !text.is_ascii() || words.any(|word| word.eq_ignore_ascii_case(&letter));
            prop_assert!(has || !judge(OverlapOptions::default(), &letter, &text).matches);
            prop_assert!(has || !judge(OverlapOptions::default(), &text, &letter).matches);
        }

        #[test]
        fn lower_thresholds_match_no_less(
            expected in "[a-h ]{0,20}",
            retrieved in "[a-h ]{0,20}",
            min_tokens in 1usize..6,
            (low, more) in (0.05f64..0.5, 0.0f64..0.5),
        ) {
            let at = |least, threshold| judge(with(least, threshold), &expected, &retrieved).matches;
            prop_assert!(at(min_tokens, low) || !at(min_tokens, low + more));
            prop_assert!(at(min_tokens, low) || !at(min_tokens + 1, low));
        }
    }

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
