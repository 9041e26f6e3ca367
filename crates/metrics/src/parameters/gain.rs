//! The gain of a grade.

use llull_core::Grade;

use super::gain_table::{Gains, GainsError};

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
}
