//! A preference between two documents shown side by side.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

/// An answer about a pair: the left-hand side is better, the right-hand side, or neither. Missing is an answer that was
/// not given, which is not the same as `Neither`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PairChoice {
    /// Neither is better, or it is not sure which.
    Neither,
    /// The document on the left-hand side.
    Lhs,
    /// The document on the right-hand side.
    Rhs,
    /// There is no answer.
    Missing,
}

/// The choice between two documents in an order, best first; the left-hand side is the first.
impl From<Ordering> for PairChoice {
    fn from(order: Ordering) -> Self {
        match order {
            Ordering::Less => Self::Lhs,
            Ordering::Equal => Self::Neither,
            Ordering::Greater => Self::Rhs,
        }
    }
}

impl PairChoice {
    /// All four, in the order of their [codes](Self::code).
    pub const ALL: [Self; 4] = [Self::Neither, Self::Lhs, Self::Rhs, Self::Missing];

    /// Returns the answer about the same pair with its sides exchanged.
    pub const fn mirrored(self) -> Self {
        match self {
            Self::Lhs => Self::Rhs,
            Self::Rhs => Self::Lhs,
            other => other,
        }
    }

    /// Returns +1 for the left-hand side, -1 for the right-hand side, and 0 for neither and for no answer.
    pub const fn vote(self) -> i8 {
        match self {
            Self::Lhs => 1,
            Self::Rhs => -1,
            Self::Neither | Self::Missing => 0,
        }
    }

    /// Returns the answer of a score: the side of its sign, if it is as far from 0 as `threshold`.
    ///
    /// ```
    /// use llull_core::PairChoice;
    ///
    /// assert_eq!(PairChoice::of_score(-0.9, 0.8), PairChoice::Rhs);
    /// assert_eq!(PairChoice::of_score(0.7, 0.8), PairChoice::Neither);
    /// assert_eq!(PairChoice::of_score(0.0, 0.0), PairChoice::Neither);
    /// ```
    pub fn of_score(score: f64, threshold: f64) -> Self {
        match score {
            score if score > 0.0 && score >= threshold => Self::Lhs,
            score if score < 0.0 && -score >= threshold => Self::Rhs,
            _ => Self::Neither,
        }
    }

    /// Returns a number from 0 to 3, for tables that count answers.
    pub const fn code(self) -> usize {
        self as usize
    }

    /// Returns its name: `LHS`, `RHS`, `Neither`, or nothing for no answer.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lhs => "LHS",
            Self::Rhs => "RHS",
            Self::Neither => "Neither",
            Self::Missing => "",
        }
    }
}
