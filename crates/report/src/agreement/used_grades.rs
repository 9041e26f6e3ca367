//! Counts the grades of each side of an agreement.

use llull_core::Grade;
use llull_stats::Agreement;

/// The grades that one side gives, ascending, with how often it does, over the common pairs.
pub(super) struct UsedGrades(pub(super) Vec<(Grade, u64)>);

impl UsedGrades {
    pub(super) fn of_truth(agreement: &Agreement) -> Self {
        let row = |at: usize| agreement.confusion.get(at).map_or(0, |row| row.iter().sum());
        Self::of(agreement, row)
    }

    pub(super) fn of_other(agreement: &Agreement) -> Self {
        let column = |at: usize| agreement.confusion.iter().filter_map(|row| row.get(at)).sum();
        Self::of(agreement, column)
    }

    fn of(agreement: &Agreement, count: impl Fn(usize) -> u64) -> Self {
        let counted = agreement.grades.iter().enumerate().map(|(at, grade)| (*grade, count(at)));
        Self(counted.filter(|(_, count)| *count > 0).collect())
    }

    /// The lowest and the highest grade.
    pub(super) fn range(&self) -> Option<(Grade, Grade)> {
        Some((self.0.first()?.0, self.0.last()?.0))
    }

    /// How many labels are below and above a range.
    pub(super) fn beyond(&self, low: Grade, high: Grade) -> (u64, u64) {
        let count = |beyond: &dyn Fn(Grade) -> bool| {
            self.0.iter().filter(|(grade, _)| beyond(*grade)).map(|(_, count)| count).sum()
        };
        (count(&|grade| grade < low), count(&|grade| grade > high))
    }
}
