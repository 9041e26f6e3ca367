//! Token overlap: exact, contained, enough shared words, a large enough share of the answer's words.

use super::contained::contained;
use super::options::{OverlapOptions, OverlapOptionsError};
use super::overlap_text::OverlapText;
use super::step::{MatchContext, MatchStep, TextMatch};
use super::vocabulary::Vocabulary;

/// A judge by shared words, in these steps:
///
/// 1. the texts are the same but for case and spaces: a match;
/// 2. one stands in the other as whole words: a match. A retrieved text that is a piece of the answer has to hold the
///    words that step 3 asks;
/// 3. they share fewer than `min_tokens` different words: no match. An answer with fewer words is asked for all it has;
/// 4. the retrieved text repeats a share of the answer's different words of at least `threshold`: a match;
/// 5. with `query_boost`, and where the query has one of the shared words, three quarters of it are enough.
///
/// Words are runs of letters and digits of any script, in lower case, in Unicode's NFKC; a character of a script
/// without spaces is a word.
///
/// ```
/// use llull_judge::{MatchContext, OverlapOptions, TokenOverlap};
///
/// let judge = TokenOverlap::new(OverlapOptions::default())?;
/// let found = judge.judge(&MatchContext {
///     query: "What is RAG?",
///     expected: "RAG combines retrieval with generation for better accuracy",
///     retrieved: "RAG is a technique that combines retrieval with generation",
/// });
/// assert!(found.matches);
/// assert_eq!(found.step.to_string(), "5 of the answer's 8 words");
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
    /// Returns an error if a parameter is outside its range.
    pub fn new(options: OverlapOptions) -> Result<Self, OverlapOptionsError> {
        options.check()?;
        Ok(Self { options })
    }

    /// Returns the parameters.
    pub fn options(&self) -> &OverlapOptions {
        &self.options
    }

    /// Judges one retrieved text by one expected answer.
    pub fn judge(&self, context: &MatchContext<'_>) -> TextMatch {
        let mut vocabulary = Vocabulary::new(&self.options);
        let [query, expected, retrieved] = [context.query, context.expected, context.retrieved]
            .map(|text| OverlapText::new(text, &mut vocabulary));
        self.decide(&query, &expected, &retrieved)
    }

    /// Judges every retrieved text of a query by every expected answer, each text read once: for each retrieved text
    /// in turn, one judgment for each answer.
    pub fn judge_all(&self, query: &str, expected: &[&str], retrieved: &[&str]) -> Vec<TextMatch> {
        let mut vocabulary = Vocabulary::new(&self.options);
        let query = OverlapText::new(query, &mut vocabulary);
        let expected: Vec<_> = expected.iter().map(|text| OverlapText::new(text, &mut vocabulary)).collect();
        let mut judged = Vec::with_capacity(expected.len() * retrieved.len());
        for text in retrieved {
            let text = OverlapText::new(text, &mut vocabulary);
            judged.extend(expected.iter().map(|answer| self.decide(&query, answer, &text)));
        }
        judged
    }

    fn decide(&self, query: &OverlapText, expected: &OverlapText, retrieved: &OverlapText) -> TextMatch {
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Stemming, StopWords};

    fn judge(options: OverlapOptions, expected: &str, retrieved: &str) -> TextMatch {
        let query = "What is RAG?";
        TokenOverlap::new(options).unwrap().judge(&MatchContext { query, expected, retrieved })
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
        let listed =
            judge(options(StopWords::Listed(vec!["stores".into()]), None), "stores red wine", "wine, red");
        assert_eq!(listed.step, MatchStep::Overlap { shared: 2, expected: 2 });
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
                let of = |expected: &&str| judge.judge(&MatchContext { query: &query, expected, retrieved });
                alone.extend(answers.iter().map(of));
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
}
