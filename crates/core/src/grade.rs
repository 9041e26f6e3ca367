//! Grades and the scale that they stand on.

use serde::{Deserialize, Serialize};

/// A relevance grade. Whole numbers, larger is more relevant; what each means is the rubric's business.
/// Negative grades occur in published qrels and count as not relevant.
pub type Grade = i32;

/// The grades that a judge may give: every whole number from `low` to `high`, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Ends")]
pub struct Scale {
    low: Grade,
    high: Grade,
}

/// A scale as a file has it, before it is known to be one.
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

/// A scale needs at least two grades, and few enough to define each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a scale runs from a lower to a higher grade, with at most 101 grades; {low} to {high} does not")]
pub struct ScaleError {
    /// The lowest grade that was asked for.
    pub low: Grade,
    /// The highest grade that was asked for.
    pub high: Grade,
}

impl Scale {
    /// The scale from `low` to `high`, both included.
    ///
    /// # Errors
    /// When `high` is not above `low`, or more than 100 above it.
    pub fn new(low: Grade, high: Grade) -> Result<Self, ScaleError> {
        match high.checked_sub(low) {
            Some(1..=100) => Ok(Self { low, high }),
            _ => Err(ScaleError { low, high }),
        }
    }

    /// The lowest grade.
    pub fn low(self) -> Grade {
        self.low
    }

    /// The highest grade.
    pub fn high(self) -> Grade {
        self.high
    }

    /// Whether `grade` is on the scale.
    pub fn contains(self, grade: Grade) -> bool {
        (self.low..=self.high).contains(&grade)
    }

    /// All grades, lowest first.
    pub fn grades(self) -> impl DoubleEndedIterator<Item = Grade> + ExactSizeIterator {
        (0..usize::try_from(self.high - self.low).unwrap_or(0) + 1).map(move |step| self.low + step as Grade)
    }
}

impl Default for Scale {
    /// 0 to 3, as TREC's Deep Learning track and seed 001 use it.
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
