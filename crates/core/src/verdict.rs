//! Answers of a judge, usable and unusable.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Grade, Scale};

/// A usable answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Verdict {
    /// A grade on the rubric's scale.
    Graded(GradedVerdict),
    /// An order of the documents that were shown together.
    Compared(ComparedVerdict),
}

impl Verdict {
    /// Returns the grade, if the verdict is one.
    pub fn grade(&self) -> Option<Grade> {
        match self {
            Self::Graded(verdict) => Some(verdict.grade),
            Self::Compared(_) => None,
        }
    }

    /// Returns the judge's explanation; empty without one.
    pub fn rationale(&self) -> &str {
        match self {
            Self::Graded(verdict) => &verdict.rationale,
            Self::Compared(verdict) => &verdict.rationale,
        }
    }
}

/// A grade, with the reasons that the prompt requested.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
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
    /// The probability of each grade, from the lowest of the scale, if the model returned log-probabilities. Empty if
    /// unknown. The grade is the one that the model wrote, whatever they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub probabilities: Vec<f64>,
}

impl GradedVerdict {
    /// Returns the expected grade by the probabilities; `None` without one for each grade of the scale.
    ///
    /// ```
    /// use llull_core::{GradedVerdict, Scale};
    ///
    /// let probabilities = vec![0.0, 0.25, 0.75, 0.0];
    /// let verdict = GradedVerdict { grade: 2, probabilities, ..GradedVerdict::default() };
    /// assert_eq!(verdict.expected_grade(Scale::default()), Some(1.75));
    /// ```
    pub fn expected_grade(&self, scale: Scale) -> Option<f64> {
        let known = self.probabilities.len() == scale.grades().count();
        let parts = scale.grades().zip(&self.probabilities).map(|(grade, share)| f64::from(grade) * share);
        known.then(|| parts.sum())
    }
}

/// An order of documents that were shown together.
///
/// Documents are identified by their position as shown, from 0, so a verdict does not depend on the labels that a
/// prompt gave them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ComparedVerdict {
    /// Positions, best first. Positions of one group are tied. Every position occurs at most once. A position in no
    /// group ranks below every group, in no order with other such positions, as in answers to "the best of k".
    ///
    /// `LHS` is `[[0], [1]]`, `RHS` is `[[1], [0]]`, `Neither` is `[[0, 1]]`.
    pub order: Vec<Vec<u16>>,
    /// The probability that each position is preferred, if the model returned log-probabilities, normalised over the
    /// legal answers. The remainder to 1 is the probability of `Neither`. Empty if unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub probabilities: Vec<f64>,
    /// The judge's explanation; empty when the prompt did not ask for one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rationale: String,
}

/// The reason why a verdict is not an order of the documents that were shown.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum OrderError {
    /// The order, or one of its groups, is empty.
    #[error("the order has a place without a document, or no place at all")]
    Empty,
    /// A problem with its place and its remedy, as text.
    #[error("{0}")]
    Problem(String),
}

impl ComparedVerdict {
    /// Checks that this is an order of `shown` documents.
    ///
    /// # Errors
    /// Returns an error if a group is empty, a position occurs twice or was not shown, or the probabilities are
    /// invalid.
    pub fn check(&self, shown: usize) -> Result<(), OrderError> {
        if self.order.is_empty() || self.order.iter().any(Vec::is_empty) {
            return Err(OrderError::Empty);
        }
        let mut seen = vec![false; shown];
        for position in self.order.iter().flatten() {
            match seen.get_mut(usize::from(*position)) {
                Some(true) => {
                    return Err(OrderError::Problem(format!(
                        "position {position} occurs twice in the order"
                    )));
                }
                Some(seen) => *seen = true,
                None => {
                    return Err(OrderError::Problem(format!(
                        "the order has position {position}, but only {shown} documents were shown"
                    )));
                }
            }
        }
        let probabilities = &self.probabilities;
        // Probabilities from a file may be rounded.
        let sum: f64 = probabilities.iter().sum();
        let in_range = probabilities.iter().all(|probability| *probability >= 0.0) && sum <= 1.0 + 1e-6;
        match probabilities.len() {
            _ if !in_range => Err(OrderError::Problem(format!(
                "{probabilities:?} are not probabilities: each must be 0 or more, and their sum at most 1"
            ))),
            0 => Ok(()),
            count if count == shown => Ok(()),
            count => {
                Err(OrderError::Problem(format!("there are {count} probabilities for {shown} documents")))
            }
        }
    }

    /// Returns the order in words, best first, with `=` between documents on one place. `documents` are those that were
    /// shown.
    ///
    /// ```
    /// use llull_core::ComparedVerdict;
    ///
    /// let shown = ["a", "b", "c"].map(String::from);
    /// let verdict = |order: &[&[u16]]| ComparedVerdict {
    ///     order: order.iter().map(|group| group.to_vec()).collect(),
    ///     ..ComparedVerdict::default()
    /// };
    /// assert_eq!(verdict(&[&[2], &[0, 1]]).order_text(&shown), "c > a = b");
    /// assert_eq!(verdict(&[&[0, 1]]).order_text(&shown[..2]), "neither is better");
    /// ```
    pub fn order_text(&self, documents: &[String]) -> String {
        let name = |at: &u16| documents.get(usize::from(*at)).map_or("", String::as_str);
        let group = |group: &Vec<u16>| group.iter().map(name).collect::<Vec<_>>().join(" = ");
        match self.order.as_slice() {
            [both] if documents.len() == 2 && both.len() == 2 => "neither is better".to_owned(),
            groups => groups.iter().map(group).collect::<Vec<_>>().join(" > "),
        }
    }
}

/// An answer that arrived and cannot be counted. There is no default grade: the question stays unjudged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unusable {
    /// The kind of defect, for counting.
    pub reason: Reason,
    /// The defect in detail, for users: `grade 7 is not on the scale 0 to 3`.
    pub detail: String,
}

/// The reason why an answer cannot be counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(strum::IntoStaticStr, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum Reason {
    /// Only white space.
    Empty,
    /// A content filter or the model's provider refuses this text, as the server reports it.
    Refused,
    /// The question is longer than the model or its server takes.
    TooLong,
    /// The reply is a refusal in prose.
    Declined,
    /// The reply ends before its answer does: a token limit, an unclosed object or reasoning block.
    CutOff,
    /// Text that contains nothing in the form of an answer.
    NoAnswer,
    /// The beginning of an answer that is not valid JSON.
    Malformed,
    /// Valid JSON of another shape: a field is missing or has the wrong type.
    WrongShape,
    /// A grade that is not on the rubric's scale.
    OutOfRange,
    /// Several answers that differ.
    Ambiguous,
    /// An order that omits, repeats or invents a document.
    NotAnOrder,
    /// A file of answers made elsewhere has none to this question.
    NotInFile,
    /// A choice among documents that names none of them.
    NotAChoice,
    /// An answer among other text: it may be quoted, contradicted or taken back there.
    NotAlone,
    /// A call of a tool, and no text.
    ToolCall,
}

impl Reason {
    /// All reasons, in the order in which reports list them.
    pub const ALL: [Self; 15] = [
        Self::Empty,
        Self::Refused,
        Self::TooLong,
        Self::Declined,
        Self::CutOff,
        Self::NoAnswer,
        Self::Malformed,
        Self::WrongShape,
        Self::OutOfRange,
        Self::Ambiguous,
        Self::NotAnOrder,
        Self::NotAChoice,
        Self::NotAlone,
        Self::ToolCall,
        Self::NotInFile,
    ];

    /// Returns whether the server refused this one question. It would refuse the question again, and the refusal is no
    /// evidence about the judge.
    pub fn is_refusal(self) -> bool {
        matches!(self, Self::Refused | Self::TooLong)
    }

    /// Returns the name that files and JSON use.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the reason with this [`name`](Self::name), if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        name.parse().ok()
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "empty reply",
            Self::Refused => "refused",
            Self::TooLong => "too long for the judge",
            Self::Declined => "declined in prose",
            Self::CutOff => "cut off",
            Self::NoAnswer => "no answer in the reply",
            Self::Malformed => "malformed JSON",
            Self::WrongShape => "JSON of another shape",
            Self::OutOfRange => "grade off the scale",
            Self::Ambiguous => "several answers that differ",
            Self::NotInFile => "not in the file",
            Self::NotAnOrder => "order that omits, repeats or invents a document",
            Self::NotAChoice => "choice that names none of the documents",
            Self::NotAlone => "answer among other text",
            Self::ToolCall => "tool call instead of an answer",
        })
    }
}
