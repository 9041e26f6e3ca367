//! The clamp of grades beyond a scale.
//!
//! They count as the ends of the scale.

use std::fmt;
use std::str::FromStr;

use llull_core::{Grade, Qrels};

/// The ends of a scale; grades beyond an end count as that end. Written `LO..HI`, both included.
///
/// ```
/// use llull_stats::Clamp;
///
/// let clamp: Clamp = "0..3".parse()?;
/// assert_eq!([-1, 2, 5].map(|grade| clamp.apply(grade)), [0, 2, 3]);
/// assert_eq!(clamp.to_string(), "0..3");
/// # Ok::<(), llull_stats::ClampError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clamp {
    low: Grade,
    high: Grade,
}

/// Why a text is not a valid clamp.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClampError {
    /// The text is not two whole numbers with two dots between them.
    #[error("{0:?} is not LO..HI: write the lowest and the highest grade, such as 0..3")]
    Syntax(String),
    /// The lower end is above the upper one.
    #[error("{low}..{high} is empty: write the lower end first")]
    Empty {
        /// The end before the dots.
        low: Grade,
        /// The end after the dots.
        high: Grade,
    },
}

impl Clamp {
    /// Creates the clamp from `low` to `high`, both included.
    ///
    /// # Errors
    /// Returns an error if `low` is above `high`.
    pub fn new(low: Grade, high: Grade) -> Result<Self, ClampError> {
        if low > high { Err(ClampError::Empty { low, high }) } else { Ok(Self { low, high }) }
    }

    /// Returns the lower end.
    pub fn low(self) -> Grade {
        self.low
    }

    /// Returns the upper end.
    pub fn high(self) -> Grade {
        self.high
    }

    /// Returns the grade, or the end that it lies beyond.
    pub fn apply(self, grade: Grade) -> Grade {
        grade.clamp(self.low, self.high)
    }

    /// Returns labels with each grade beyond an end as that end, and how many there were.
    pub fn apply_to(self, labels: &Qrels) -> (Qrels, usize) {
        let (mut clamped, mut moved) = (Qrels::default(), 0);
        for (query, documents) in labels.iter() {
            for (document, grade) in documents {
                let kept = self.apply(*grade);
                moved += usize::from(kept != *grade);
                clamped.insert(query, document, kept);
            }
        }
        (clamped.dropping_as(labels), moved)
    }
}

impl FromStr for Clamp {
    type Err = ClampError;

    fn from_str(text: &str) -> Result<Self, ClampError> {
        let syntax = || ClampError::Syntax(text.to_owned());
        let (low, high) = text.split_once("..").ok_or_else(syntax)?;
        let end = |end: &str| end.trim().parse().map_err(|_| syntax());
        Self::new(end(low)?, end(high)?)
    }
}

impl fmt::Display for Clamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.low, self.high)
    }
}
