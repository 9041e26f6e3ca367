//! Judges of whether a retrieved text contains an expected answer.

use std::collections::BTreeMap;
use std::fmt;

use llull_judge::{MatchStep, TextMatch, TokenOverlap};
use rayon::prelude::*;

use super::found::SupportedFacts;

/// The task for one query: each of its texts by each of its expected answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerQuestion<'a> {
    /// The query.
    pub query: &'a str,
    /// The expected answers, each once.
    pub expected: Vec<&'a str>,
    /// The texts that any system retrieved, each once.
    pub texts: Vec<&'a str>,
}

impl AnswerQuestion<'_> {
    /// Returns the number of judgments that it needs.
    pub fn contexts(&self) -> usize {
        self.expected.len() * self.texts.len()
    }
}

/// A judge of expected answers. It gets all questions at once, so that it can send requests, or encode, in batches.
///
/// ```
/// use llull_answers::expected_answers::{AnswerJudge, AnswerJudgeError, Because, AnswerJudgment, AnswerQuestion};
///
/// /// Finds an answer wherever its letters stand.
/// struct Letters;
///
/// impl AnswerJudge for Letters {
///     fn name(&self) -> &str {
///         "letters"
///     }
///
///     fn judge(&self, questions: &[AnswerQuestion<'_>]) -> Result<Vec<Vec<AnswerJudgment>>, AnswerJudgeError> {
///         let of = |text: &str, expected: &str| AnswerJudgment::Judged {
///             matches: text.contains(expected),
///             because: Because::Said("by its letters".into()),
///         };
///         let all = questions.iter().map(|question| {
///             let texts = question.texts.iter();
///             texts.flat_map(|text| question.expected.iter().map(move |expected| of(text, expected))).collect()
///         });
///         Ok(all.collect())
///     }
/// }
///
/// let question = AnswerQuestion { query: "q", expected: vec!["red"], texts: vec!["a red wine", "beer"] };
/// let judged = Letters.judge(&[question])?;
/// assert_eq!(judged[0].iter().map(AnswerJudgment::matches).collect::<Vec<_>>(), [Some(true), Some(false)]);
/// # Ok::<(), AnswerJudgeError>(())
/// ```
pub trait AnswerJudge: Sync {
    /// Returns its name, as outputs show it.
    fn name(&self) -> &str;

    /// Returns the parameters that decide its answers, by name; the ledger records them.
    fn parameters(&self) -> BTreeMap<String, String> {
        BTreeMap::new()
    }

    /// Returns the cosine from which a text matches, if judgments use [cosines](Because::Cosine) alone. Then the ledger
    /// records the cosine and not the threshold, and another threshold applies to recorded answers, too.
    fn cosine_threshold(&self) -> Option<f64> {
        None
    }

    /// Returns whether a result is judged by all of its identifier, the dataset's document of that identifier, and its
    /// own text, as evret does. If not, it is judged by its own text, or by the document if it has none.
    fn reads_identifiers(&self) -> bool {
        false
    }

    /// Judges every text of every question by every expected answer: for each question, its texts in turn, and for each
    /// text one judgment by each answer.
    ///
    /// # Errors
    /// Returns an error if nothing can be judged. A failure for one context alone is [`AnswerJudgment::Unusable`].
    fn judge(&self, questions: &[AnswerQuestion<'_>]) -> Result<Vec<Vec<AnswerJudgment>>, AnswerJudgeError>;
}

/// Whether a text contains an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum AnswerJudgment {
    /// The judge's decision.
    Judged {
        /// Whether the text contains the answer.
        matches: bool,
        /// The reason.
        because: Because,
    },
    /// There is no usable judgment, for this reason.
    Unusable(String),
}

impl AnswerJudgment {
    /// Returns whether the text contains the answer; `None` if that is unknown.
    pub fn matches(&self) -> Option<bool> {
        match self {
            Self::Judged { matches, .. } => Some(*matches),
            Self::Unusable(_) => None,
        }
    }
}

/// The reason for a judgment. It prints as a phrase.
#[derive(Debug, Clone, PartialEq)]
pub enum Because {
    /// A step of an algorithm over words.
    Step(MatchStep),
    /// The cosine of two vectors, from -1 to 1.
    Cosine(f32),
    /// Facts of the answer, which the judge judged one by one.
    Facts(Box<FactsFound>),
    /// The judge's own reason.
    Said(Box<str>),
}

/// The facts of an answer that a text supports.
#[derive(Debug, Clone, PartialEq)]
pub struct FactsFound {
    /// The number of supported facts.
    pub facts: SupportedFacts,
    /// The first unsupported fact.
    pub not: Option<Box<str>>,
}

impl Because {
    /// Returns the number of the answer's facts that the text supports, if facts are the reason.
    pub fn facts(&self) -> Option<SupportedFacts> {
        match self {
            Self::Facts(found) => Some(found.facts),
            Self::Step(_) | Self::Cosine(_) | Self::Said(_) => None,
        }
    }
}

impl fmt::Display for Because {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Step(step) => step.fmt(f),
            Self::Cosine(cosine) => write!(f, "cosine {cosine:.3}"),
            Self::Facts(found) => {
                found.facts.fmt(f)?;
                found.not.as_ref().map_or(Ok(()), |fact| write!(f, "; not: {fact}"))
            }
            Self::Said(words) => f.write_str(words),
        }
    }
}

/// An error of a judge of expected answers.
#[derive(Debug, thiserror::Error)]
#[error("judge {judge}: {source}")]
pub struct AnswerJudgeError {
    /// The judge's name.
    pub judge: String,
    /// The error.
    #[source]
    pub source: Box<dyn std::error::Error + Send + Sync>,
}

impl AnswerJudge for TokenOverlap {
    fn name(&self) -> &str {
        self.name()
    }

    fn parameters(&self) -> BTreeMap<String, String> {
        let options = self.options();
        let mut parameters = BTreeMap::from([
            ("min_tokens".to_owned(), options.min_tokens.to_string()),
            ("threshold".to_owned(), options.threshold.to_string()),
            ("query_boost".to_owned(), options.query_boost.to_string()),
            ("stop_words".to_owned(), options.stop_words.to_string()),
        ]);
        if let Some(stemming) = options.stemming {
            parameters.insert("stemming".to_owned(), stemming.to_string());
        }
        parameters
    }

    fn reads_identifiers(&self) -> bool {
        self.options().evret
    }

    fn judge(&self, questions: &[AnswerQuestion<'_>]) -> Result<Vec<Vec<AnswerJudgment>>, AnswerJudgeError> {
        let judged =
            |TextMatch { matches, step }| AnswerJudgment::Judged { matches, because: Because::Step(step) };
        let of = |question: &AnswerQuestion<'_>| {
            let all = self.judge_all(question.query, &question.expected, &question.texts);
            all.into_iter().map(judged).collect()
        };
        Ok(questions.par_iter().map(of).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An evaluation holds one of them for each text and answer: a million of them are not to take more than the texts.
    #[test]
    fn a_judgment_is_small() {
        assert!(size_of::<AnswerJudgment>() <= 32, "{}", size_of::<AnswerJudgment>());
    }
}
