//! An annotator's answer about a pair.

use std::fmt;

use llull_core::{Grade, Outcome, PairChoice, Verdict};

/// An annotator's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnnotatorAnswer {
    /// The document's grade.
    Grade(Grade),
    /// The better of two documents, by its side.
    Choice(PairChoice),
}

impl AnnotatorAnswer {
    /// Returns the grade, if a document is graded.
    pub fn grade(self) -> Option<Grade> {
        match self {
            Self::Grade(grade) => Some(grade),
            Self::Choice(_) => None,
        }
    }

    /// Returns the choice, if two documents are compared.
    pub fn choice(self) -> Option<PairChoice> {
        match self {
            Self::Grade(_) => None,
            Self::Choice(choice) => Some(choice),
        }
    }

    /// The same answer with the two documents on swapped sides.
    pub fn mirrored(self) -> Self {
        match self {
            Self::Grade(_) => self,
            Self::Choice(choice) => Self::Choice(choice.mirrored()),
        }
    }

    /// The answer in an outcome of the ledger; `None` if it was taken back.
    pub fn of(outcome: &Outcome) -> Option<Self> {
        match outcome {
            Outcome::Judged { verdict: Verdict::Graded(verdict) } => Some(Self::Grade(verdict.grade)),
            Outcome::Judged { verdict: Verdict::Compared(verdict) } => {
                Some(Self::Choice(match verdict.order.first().map(Vec::as_slice) {
                    Some([0]) => PairChoice::Lhs,
                    Some([1]) => PairChoice::Rhs,
                    _ => PairChoice::Neither,
                }))
            }
            Outcome::Unusable(_) | Outcome::Failed(_) => None,
        }
    }
}

impl fmt::Display for AnnotatorAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Grade(grade) => write!(f, "grade {grade}"),
            Self::Choice(PairChoice::Lhs) => f.write_str("left"),
            Self::Choice(PairChoice::Rhs) => f.write_str("right"),
            Self::Choice(PairChoice::Neither | PairChoice::Missing) => f.write_str("neither"),
        }
    }
}
