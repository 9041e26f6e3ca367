//! What a judge can say, and what it can fail to say.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Grade;

/// An answer that could be read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Verdict {
    /// A grade on the rubric's scale.
    Graded(GradedVerdict),
    /// An order of the documents that were shown together.
    Compared(ComparedVerdict),
}

impl Verdict {
    /// The grade, if the verdict is one.
    pub fn grade(&self) -> Option<Grade> {
        match self {
            Self::Graded(verdict) => Some(verdict.grade),
            Self::Compared(_) => None,
        }
    }

    /// The judge's explanation; empty where there is none.
    pub fn rationale(&self) -> &str {
        match self {
            Self::Graded(verdict) => &verdict.rationale,
            Self::Compared(verdict) => &verdict.rationale,
        }
    }
}

/// A grade with the judge's reasons, as far as the prompt asked for them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GradedVerdict {
    /// The grade, always on the rubric's scale.
    pub grade: Grade,
    /// Parts of the query that the document addresses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facets_covered: Vec<String>,
    /// Parts of the query that it does not address.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facets_missing: Vec<String>,
    /// The judge's explanation; empty when the prompt did not ask for one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rationale: String,
}

/// An order of documents that were shown together. Documents are named by their position in the order in which they were
/// shown, from 0, so a verdict never depends on the labels that a prompt gave them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ComparedVerdict {
    /// Positions, best first; those of one group are tied. Every position occurs at most once. A position that occurs in no
    /// group lies behind every group, in no order with the others that occur in none: that is what "the best of k" says.
    /// `LHS` is `[[0], [1]]`, `RHS` is `[[1], [0]]`, `Neither` is `[[0, 1]]`.
    pub order: Vec<Vec<u16>>,
    /// The probability that each position is preferred, where the model gave log-probabilities, renormalised over the legal
    /// answers; what is left to 1 is the probability of `Neither`. Empty where unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub probabilities: Vec<f64>,
    /// The judge's explanation; empty when the prompt did not ask for one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rationale: String,
}

/// Why a verdict is not an order of the documents that were shown.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum OrderError {
    /// There is nothing in it, or nothing in one of its groups.
    #[error("the order has a place without a document, or no place at all")]
    Empty,
    /// A document stands in it twice.
    #[error("position {0} is twice in the order")]
    Twice(u16),
    /// It names a document that was not shown.
    #[error("the order has position {position}, and {shown} documents were shown")]
    NotShown {
        /// The position that it names.
        position: u16,
        /// How many documents were shown.
        shown: usize,
    },
    /// The probabilities are not the documents'.
    #[error("{count} probabilities of {shown} documents")]
    Count {
        /// How many probabilities there are.
        count: usize,
        /// How many documents were shown.
        shown: usize,
    },
    /// The probabilities are none.
    #[error("{0:?} are no probabilities: each is 0 or more, and all are 1 at most")]
    Probabilities(Vec<f64>),
}

impl ComparedVerdict {
    /// Checks that this is an order of so many documents.
    ///
    /// # Errors
    /// Returns an error if a place is empty, a document is named twice or was not shown, or the probabilities are none.
    pub fn check(&self, shown: usize) -> Result<(), OrderError> {
        if self.order.is_empty() || self.order.iter().any(Vec::is_empty) {
            return Err(OrderError::Empty);
        }
        let mut seen = vec![false; shown];
        for position in self.order.iter().flatten() {
            match seen.get_mut(usize::from(*position)) {
                Some(true) => return Err(OrderError::Twice(*position)),
                Some(seen) => *seen = true,
                None => return Err(OrderError::NotShown { position: *position, shown }),
            }
        }
        let probabilities = &self.probabilities;
        // Probabilities that were written down may be rounded.
        let sum: f64 = probabilities.iter().sum();
        let in_range = probabilities.iter().all(|probability| *probability >= 0.0) && sum <= 1.0 + 1e-6;
        match probabilities.len() {
            _ if !in_range => Err(OrderError::Probabilities(probabilities.clone())),
            0 => Ok(()),
            count if count == shown => Ok(()),
            count => Err(OrderError::Count { count, shown }),
        }
    }
}

/// An answer that arrived and cannot be counted. There is no default grade: the pair stays unjudged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unusable {
    /// What kind of defect it is, for counting.
    pub reason: Reason,
    /// What exactly was found, for a person: `grade 7 is not on the scale 0 to 3`.
    pub detail: String,
}

/// Why an answer cannot be counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Nothing but white space.
    Empty,
    /// The model, or a content filter, declined.
    Refused,
    /// The reply ends before its answer does: a token limit, an unclosed object or reasoning block.
    CutOff,
    /// Text, but nothing in it has the form of an answer.
    NoAnswer,
    /// An answer was begun that is not valid JSON.
    Malformed,
    /// Valid JSON of another shape: a field is missing, or of the wrong type.
    WrongShape,
    /// A grade that is not on the rubric's scale.
    OutOfRange,
    /// More than one answer, and they differ.
    Ambiguous,
    /// An ordering that omits, repeats or invents a document.
    NotAnOrder,
}

impl Reason {
    /// Every reason, in the order in which reports list them.
    pub const ALL: [Self; 9] = [
        Self::Empty,
        Self::Refused,
        Self::CutOff,
        Self::NoAnswer,
        Self::Malformed,
        Self::WrongShape,
        Self::OutOfRange,
        Self::Ambiguous,
        Self::NotAnOrder,
    ];

    /// The name that files and JSON use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Refused => "refused",
            Self::CutOff => "cut_off",
            Self::NoAnswer => "no_answer",
            Self::Malformed => "malformed",
            Self::WrongShape => "wrong_shape",
            Self::OutOfRange => "out_of_range",
            Self::Ambiguous => "ambiguous",
            Self::NotAnOrder => "not_an_order",
        }
    }

    /// The reason with this [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.name() == name)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "empty reply",
            Self::Refused => "refused",
            Self::CutOff => "cut off",
            Self::NoAnswer => "no answer in the reply",
            Self::Malformed => "malformed JSON",
            Self::WrongShape => "JSON of another shape",
            Self::OutOfRange => "grade off the scale",
            Self::Ambiguous => "several answers that differ",
            Self::NotAnOrder => "order that omits, repeats or invents a document",
        })
    }
}
