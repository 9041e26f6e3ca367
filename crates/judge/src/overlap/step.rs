//! The step that decided a judgment.

use std::fmt;

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
            Self::PassageInAnswer => f.write_str("the passage stands in the answer"),
            Self::Negation => f.write_str("one of the texts negates"),
            Self::NoWords => f.write_str("no word that counts"),
            Self::TooFewShared { shared, needed } => write!(f, "{shared} shared words of {needed} asked"),
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
