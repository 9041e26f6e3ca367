//! Relevance grades and their scale.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A relevance grade: a whole number, larger being more relevant.
///
/// The rubric defines what each grade means. Negative grades occur in published qrels and count as not relevant.
pub type Grade = i32;

/// The parts of a grade in which means are counted: enough for the mean of up to 16 grades to be exact.
pub const GRADE_PARTS: Grade = 720_720;

/// The grades that a judge may give: every whole number from `low` to `high`, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Ends")]
pub struct Scale {
    low: Grade,
    high: Grade,
}

/// The ends of a scale as read from a file, not validated yet.
#[derive(Deserialize)]
struct Ends {
    low: Grade,
    high: Grade,
}

impl TryFrom<Ends> for Scale {
    type Error = ScaleError;

    fn try_from(Ends { low, high }: Ends) -> Result<Self, ScaleError> {
        Self::new(low, high)
    }
}

/// The error for a scale with fewer than 2 or more than 101 grades.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a scale runs from a lower to a higher grade, with at most 101 grades; {low} to {high} does not")]
pub struct ScaleError {
    /// The requested lowest grade.
    pub low: Grade,
    /// The requested highest grade.
    pub high: Grade,
}

impl Scale {
    /// Creates the scale from `low` to `high`, both included.
    ///
    /// # Errors
    /// Returns an error if `high` is not above `low`, or is more than 100 above it.
    pub fn new(low: Grade, high: Grade) -> Result<Self, ScaleError> {
        match high.checked_sub(low) {
            Some(1..=100) => Ok(Self { low, high }),
            _ => Err(ScaleError { low, high }),
        }
    }

    /// Returns the lowest grade.
    pub fn low(self) -> Grade {
        self.low
    }

    /// Returns the highest grade.
    pub fn high(self) -> Grade {
        self.high
    }

    /// Returns whether `grade` is on the scale.
    pub fn contains(self, grade: Grade) -> bool {
        (self.low..=self.high).contains(&grade)
    }

    /// Returns all grades, lowest first.
    pub fn grades(self) -> impl DoubleEndedIterator<Item = Grade> + ExactSizeIterator {
        (0..usize::try_from(self.high - self.low).unwrap_or(0) + 1).map(move |step| self.low + step as Grade)
    }
}

impl fmt::Display for Scale {
    /// Writes the ends, as in `0 to 3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.low, self.high)
    }
}

impl Default for Scale {
    /// Returns the scale 0 to 3, as used by TREC's Deep Learning track.
    fn default() -> Self {
        Self { low: 0, high: 3 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_has_a_low_and_a_high_end() {
        assert!(Scale::new(3, 3).is_err());
        assert!(Scale::new(3, 0).is_err());
        assert!(Scale::new(Grade::MIN, Grade::MAX).is_err());
        let scale = Scale::new(-1, 2).unwrap();
        assert_eq!(scale.grades().collect::<Vec<_>>(), [-1, 0, 1, 2]);
        assert_eq!(scale.to_string(), "-1 to 2");
        assert!(scale.contains(-1) && scale.contains(2) && !scale.contains(3));
    }

    #[test]
    fn a_file_cannot_hold_what_new_refuses() {
        let scale = Scale::new(-1, 2).unwrap();
        let text = serde_json::to_string(&scale).unwrap();
        assert_eq!(text, r#"{"low":-1,"high":2}"#);
        assert_eq!(serde_json::from_str::<Scale>(&text).unwrap(), scale);
        for wrong in [r#"{"low":3,"high":0}"#, r#"{"low":-2147483648,"high":2147483647}"#] {
            let error = serde_json::from_str::<Scale>(wrong).unwrap_err().to_string();
            assert!(error.contains("a scale runs from a lower to a higher grade"), "{error}");
        }
    }
}
