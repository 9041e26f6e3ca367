//! The confusion matrix of two raters.

use std::collections::{BTreeMap, BTreeSet};

use llull_core::Grade;

/// How often one rater's grade met another's, over the pairs that both graded.
///
/// ```
/// use llull_stats::ConfusionMatrix;
///
/// let matrix: ConfusionMatrix = [(0, 0), (0, 1), (2, 2), (0, 2)].into_iter().collect();
/// assert_eq!(matrix.grades(), [0, 1, 2]);
/// assert_eq!(matrix.count(0, 1), 1);
/// assert_eq!(matrix.exact(), Some(0.5));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConfusionMatrix {
    counts: BTreeMap<(Grade, Grade), u64>,
    n: u64,
}

impl ConfusionMatrix {
    /// Counts one thing that the first rater graded `first` and the second `second`.
    pub fn add(&mut self, first: Grade, second: Grade) {
        *self.counts.entry((first, second)).or_default() += 1;
        self.n += 1;
    }

    /// Returns the number of things that both graded.
    pub fn n(&self) -> u64 {
        self.n
    }

    /// Returns the grades that either gave, ascending: the rows and columns of the table.
    pub fn grades(&self) -> Vec<Grade> {
        let grades: BTreeSet<Grade> =
            self.counts.keys().flat_map(|(first, second)| [*first, *second]).collect();
        grades.into_iter().collect()
    }

    /// Returns how many things the first rater graded `first` and the second `second`.
    pub fn count(&self, first: Grade, second: Grade) -> u64 {
        self.counts.get(&(first, second)).copied().unwrap_or(0)
    }

    /// Returns the whole table over [`grades`](Self::grades): a row for each grade of the first rater, a column for
    /// each of the second.
    pub fn rows(&self) -> Vec<Vec<u64>> {
        let grades = self.grades();
        grades.iter().map(|first| grades.iter().map(|second| self.count(*first, *second)).collect()).collect()
    }

    /// Returns the cells that are not 0, as first grade, second grade, count.
    pub(super) fn cells(&self) -> impl Iterator<Item = (Grade, Grade, u64)> {
        self.counts.iter().map(|((first, second), count)| (*first, *second, *count))
    }

    /// Returns the share of things with equal grades, from 0 to 1; `None` if nothing is graded.
    pub fn exact(&self) -> Option<f64> {
        let alike: u64 = self.cells().filter(|(a, b, _)| a == b).map(|(_, _, count)| count).sum();
        (self.n > 0).then(|| alike as f64 / self.n as f64)
    }
}

impl FromIterator<(Grade, Grade)> for ConfusionMatrix {
    fn from_iter<I: IntoIterator<Item = (Grade, Grade)>>(pairs: I) -> Self {
        let mut matrix = Self::default();
        for (first, second) in pairs {
            matrix.add(first, second);
        }
        matrix
    }
}
