//! Grades as numbers: their clamp, and the weights of disagreements.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use llull_core::{Grade, Qrels};

/// Returns the position of a grade in the ascending scale that holds it.
pub(super) fn number(scale: &[Grade], grade: Grade) -> usize {
    scale.partition_point(|other| *other < grade)
}

/// Returns the positions of grades on a line that starts at the lowest, so that their squares stay small.
pub(super) fn places(scale: &[Grade]) -> Vec<f64> {
    let lowest = scale.first().copied().map_or(0.0, f64::from);
    scale.iter().map(|grade| f64::from(*grade) - lowest).collect()
}

/// Returns a number for each different cell, ascending from 0.
pub(super) fn cell_numbers<C: Ord>(cells: impl Iterator<Item = C>) -> BTreeMap<C, usize> {
    let different: BTreeSet<C> = cells.collect();
    different.into_iter().zip(0..).collect()
}

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

    /// Returns labels with each grade beyond an end as that end, without its mean, and how many there were.
    pub fn apply_to(self, labels: &Qrels) -> (Qrels, usize) {
        let (mut clamped, mut moved) = (labels.clone(), 0);
        for (query, documents) in labels.iter() {
            for (document, grade) in documents {
                let kept = self.apply(*grade);
                if kept != *grade {
                    moved += 1;
                    clamped.insert(query, document, kept);
                }
            }
        }
        (clamped, moved)
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

/// How much a disagreement counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DisagreementWeights {
    /// Every disagreement counts the same (Cohen 1960).
    #[default]
    None,
    /// By the distance between the grades (Cohen 1968).
    Linear,
    /// By the distance squared (Cohen 1968): 0 against 3 counts nine times 0 against 1.
    Quadratic,
}

impl DisagreementWeights {
    /// Returns the weight of a disagreement between grades at places `x` and `y`.
    pub(super) fn between(self, x: f64, y: f64) -> f64 {
        let distance = (x - y).abs();
        match self {
            Self::None => f64::from(u8::from(x != y)),
            Self::Linear => distance,
            Self::Quadratic => distance * distance,
        }
    }

    /// Returns the sum of first\[i\] * second\[j\] * between(places\[i\], places\[j\]) over all i and j, in one pass.
    /// Places ascend and differ. Whole numbers give a whole number.
    pub(super) fn total(self, places: &[f64], first: &[f64], second: &[f64]) -> f64 {
        let each = || places.iter().zip(first.iter().zip(second)).map(|(x, (a, b))| (*x, *a, *b));
        match self {
            Self::None => {
                let (all_a, all_b, same) =
                    each().fold((0.0, 0.0, 0.0), |(s, t, same), (_, a, b)| (s + a, t + b, same + a * b));
                all_a * all_b - same
            }
            Self::Linear => {
                // The sums of each side at lower places, and the same times the places.
                let mut below = [0.0; 4];
                let mut total = 0.0;
                for (x, a, b) in each() {
                    let [sum_a, at_a, sum_b, at_b] = &mut below;
                    total += b * (x * *sum_a - *at_a) + a * (x * *sum_b - *at_b);
                    *sum_a += a;
                    *at_a += a * x;
                    *sum_b += b;
                    *at_b += b * x;
                }
                total
            }
            Self::Quadratic => {
                let mut moments = [0.0; 6];
                for (x, a, b) in each() {
                    for (moment, term) in moments.iter_mut().zip([a, a * x, a * x * x, b, b * x, b * x * x]) {
                        *moment += term;
                    }
                }
                let [a0, a1, a2, b0, b1, b2] = moments;
                (a2 * b0 - 2.0 * a1 * b1 + a0 * b2).max(0.0)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use llull_core::GRADE_PARTS;

    use super::*;

    #[test]
    fn a_clamp_takes_the_means_of_moved_grades_alone() {
        let mut labels = Qrels::default();
        for (document, grade) in [("a", 1), ("b", 5)] {
            labels.insert("q1", document, grade);
            labels.set_mean("q1", document, grade * GRADE_PARTS - GRADE_PARTS / 3);
        }
        labels.drop_pair("q1", "c");
        let (clamped, moved) = Clamp { low: 0, high: 3 }.apply_to(&labels);
        let means = clamped.topic("q1").unwrap().means();
        assert_eq!((clamped.grade("q1", "b"), moved), (Some(3), 1));
        assert_eq!(means, [GRADE_PARTS - GRADE_PARTS / 3, 3 * GRADE_PARTS]);
        assert_eq!(Clamp { low: 0, high: 5 }.apply_to(&labels), (labels, 0));
    }

    #[test]
    fn totals_are_the_sums_over_all_pairs() {
        let places = [-2.0, 0.0, 1.0, 5.0];
        let (first, second) = ([3.0, 0.0, 2.0, 7.0], [1.0, 4.0, 0.0, 5.0]);
        for weights in
            [DisagreementWeights::None, DisagreementWeights::Linear, DisagreementWeights::Quadratic]
        {
            let mut sum = 0.0;
            for (x, a) in places.iter().zip(first) {
                for (y, b) in places.iter().zip(second) {
                    sum += a * b * weights.between(*x, *y);
                }
            }
            assert_eq!(weights.total(&places, &first, &second), sum, "{weights:?}");
            assert_eq!(weights.total(&[], &[], &[]), 0.0);
        }
    }
}
