//! The gain of a grade.

use std::fmt;
use std::hash::{Hash, Hasher};

use llull_core::Grade;

/// How a grade becomes a gain in nDCG and DCG. Grades of 0 and less gain nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Gain {
    /// The grade itself (Järvelin and Kekäläinen 2002), as in trec_eval. ir_measures' `dcg='log2'`.
    #[default]
    Linear,
    /// 2^grade - 1 (Burges et al. 2005), usual in learning to rank. ir_measures' `dcg='exp-log2'`.
    Exponential,
    /// A table, `gains={1:1,2:10}`. ir_measures' `gains`, the parameters of trec_eval's `ndcg`.
    Custom(Gains),
}

/// The exponential gain takes higher grades for this one, which keeps sums finite.
const LARGEST_EXPONENT: Grade = 1_000;

impl Gain {
    /// The gain with this table; [`Gain::Linear`], which is the same, if every grade in it gains itself.
    ///
    /// # Errors
    /// Returns an error if a gain is not from 0 to 1e15 or is above 0 for a grade of 0 or less, if a grade occurs
    /// twice, or if more than [`Gains::LIMIT`] grades do not gain themselves.
    pub fn table(pairs: impl IntoIterator<Item = (Grade, f64)>) -> Result<Self, GainsError> {
        let gains = Gains::new(pairs)?;
        Ok(if gains.is_empty() { Self::Linear } else { Self::Custom(gains) })
    }

    /// The gain of a grade, 0 or more and finite.
    pub fn of(&self, grade: Grade) -> f64 {
        match self {
            _ if grade <= 0 => 0.0,
            Self::Linear => f64::from(grade),
            Self::Exponential => f64::from(grade.min(LARGEST_EXPONENT)).exp2() - 1.0,
            Self::Custom(gains) => gains.of(grade),
        }
    }

    /// The most that a grade from 1 to `highest` is worth. It can be another grade's gain than that of `highest` only
    /// if a table does not rise with the grades.
    pub(crate) fn most(&self, highest: Grade) -> f64 {
        match self {
            Self::Custom(gains) => gains.most(highest),
            _ => self.of(highest),
        }
    }
}

/// A table of gains, for at most [`Gains::LIMIT`] grades. A positive grade that is not in it gains itself, as in
/// trec_eval and ir_measures; a grade of 0 or less gains nothing.
///
/// ```
/// use llull_metrics::Gain;
///
/// let gain = Gain::table([(1, 1.0), (2, 10.0)])?;
/// assert_eq!([0, 1, 2, 3].map(|grade| gain.of(grade)), [0.0, 1.0, 10.0, 3.0]);
/// # Ok::<(), llull_metrics::GainsError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gains {
    /// By rising grade, without the grades that gain themselves; the rest is filled with (0, 0).
    entries: [(Grade, f64); Self::LIMIT],
    length: usize,
}

/// Why a table of gains is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GainsError {
    /// Too many grades.
    #[error("a table of gains holds at most {} grades that do not gain themselves", Gains::LIMIT)]
    TooMany,
    /// One grade has two gains.
    #[error("grade {0} has two gains")]
    Repeated(Grade),
    /// Not a number from 0 to 10^15.
    #[error("grade {grade} cannot gain {gain}: a gain is a number from 0 to 1e15")]
    Gain {
        /// The grade.
        grade: Grade,
        /// Its gain.
        gain: String,
    },
    /// A grade of 0 or less, which means that a document is not relevant, has a gain.
    #[error("grade {0} cannot gain anything, because a grade of 0 or less is not relevant")]
    NotRelevant(Grade),
}

impl Gains {
    /// How many grades a table can hold.
    pub const LIMIT: usize = 8;

    pub(super) fn new(pairs: impl IntoIterator<Item = (Grade, f64)>) -> Result<Self, GainsError> {
        let mut given: Vec<(Grade, f64)> = Vec::new();
        for (grade, gain) in pairs {
            if !(0.0..=1e15).contains(&gain) {
                return Err(GainsError::Gain { grade, gain: gain.to_string() });
            }
            if grade <= 0 && gain > 0.0 {
                return Err(GainsError::NotRelevant(grade));
            }
            if given.iter().any(|(other, _)| *other == grade) {
                return Err(GainsError::Repeated(grade));
            }
            given.push((grade, gain + 0.0));
        }
        given.retain(|(grade, gain)| *grade > 0 && f64::from(*grade) != *gain);
        given.sort_unstable_by_key(|(grade, _)| *grade);
        let mut entries = [(0, 0.0); Self::LIMIT];
        let Some(filled) = entries.get_mut(..given.len()) else { return Err(GainsError::TooMany) };
        filled.copy_from_slice(&given);
        Ok(Self { entries, length: given.len() })
    }

    /// The grades that do not gain themselves, lowest first, and their gains.
    pub fn iter(&self) -> impl Iterator<Item = (Grade, f64)> {
        self.entries.iter().take(self.length).copied()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.length == 0
    }

    pub(super) fn of(&self, grade: Grade) -> f64 {
        let own = self.iter().find(|(other, _)| *other == grade);
        own.map_or(f64::from(grade), |(_, gain)| gain)
    }

    pub(super) fn most(&self, highest: Grade) -> f64 {
        // besides the table, only the highest grade that gains itself can have the largest gain
        let itself = (1..=highest).rev().find(|grade| self.iter().all(|(other, _)| other != *grade));
        let table = self.iter().filter(|(grade, _)| *grade <= highest).map(|(_, gain)| gain);
        table.fold(itself.map_or(0.0, f64::from), f64::max)
    }
}

impl Eq for Gains {}

impl Hash for Gains {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for (grade, gain) in self.iter() {
            (grade, gain.to_bits()).hash(state);
        }
    }
}

impl fmt::Display for Gains {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (index, (grade, gain)) in self.iter().enumerate() {
            write!(f, "{}{grade}:{gain}", if index > 0 { "," } else { "" })?;
        }
        f.write_str("}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_without_changes_is_linear() {
        assert_eq!(Gain::table([(1, 1.0), (0, 0.0)]), Ok(Gain::Linear));
    }

    #[test]
    fn no_grade_gains_more_than_a_float_can_sum() {
        assert!((Gain::Exponential.of(Grade::MAX) * 1e5).is_finite());
    }

    #[test]
    fn a_table_prints_what_it_changes() {
        let gains = Gains::new([(4, 4.5), (1, 3.0), (2, 9.0), (3, 3.0), (0, 0.0), (-1, -0.0)]).unwrap();
        assert_eq!(gains.to_string(), "{1:3,2:9,4:4.5}");
        assert_eq!(gains.most(1), 3.0);
        assert_eq!(gains.most(4), 9.0);
        assert_eq!(gains.most(20), 20.0);
    }

    #[test]
    fn invalid_tables_are_refused() {
        assert_eq!(Gains::new([(0, 1.0)]), Err(GainsError::NotRelevant(0)));
        assert_eq!(Gains::new([(1, 1.0), (1, 2.0)]), Err(GainsError::Repeated(1)));
        assert_eq!(Gains::new([(1, -1.0)]), Err(GainsError::Gain { grade: 1, gain: "-1".to_owned() }));
        assert!(Gains::new([(1, f64::NAN)]).is_err());
        assert_eq!(Gains::new((1..=9).map(|grade| (grade, 0.0))), Err(GainsError::TooMany));
    }
}
