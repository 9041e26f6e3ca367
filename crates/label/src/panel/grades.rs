//! The grades of several judges, pair by pair.

use llull_core::{Grade, Scale};

/// The grades of a panel: for every pair, which judges graded it, and how. Gaps are allowed; a judge may have graded a
/// pair more than once.
///
/// ```
/// use llull_core::Scale;
/// use llull_label::panel::PanelGrades;
///
/// // Two judges; one query, the second of whose documents the second judge did not grade.
/// let mut panel = PanelGrades::new(Scale::new(0, 3)?, 2);
/// panel.push(0, [(0, 3), (1, 2)])?;
/// panel.push(0, [(0, 1)])?;
/// assert_eq!((panel.pairs(), panel.queries()), (2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PanelGrades {
    scale: Scale,
    judges: usize,
    /// Where each pair's grades begin, and the end.
    starts: Vec<usize>,
    given: Vec<Given>,
    /// Each pair's query.
    query: Vec<usize>,
}

/// A grade that a judge gave, in four bytes: a panel may have many millions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Given {
    judge: u16,
    place: u16,
}

impl Given {
    pub(super) fn judge(self) -> usize {
        self.judge.into()
    }

    /// Its place on the scale, from 0.
    pub(super) fn place(self) -> usize {
        self.place.into()
    }
}

/// Why grades cannot be taken into a panel.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PanelGradesError {
    /// A grade is not on the panel's scale.
    #[error(
        "a grade of {grade} is not on the scale from {low} to {high}: map it to a grade of the scale, or leave it out"
    )]
    OffScale {
        /// The grade.
        grade: Grade,
        /// The scale's lowest grade.
        low: Grade,
        /// The scale's highest grade.
        high: Grade,
    },
    /// There is no judge with this number.
    #[error("there is no judge number {judge} in a panel of {judges}")]
    NoSuchJudge {
        /// The number, from 0.
        judge: usize,
        /// How many judges there are.
        judges: usize,
    },
}

impl PanelGrades {
    /// A panel of so many judges, at most 65,535, that has graded nothing yet. All of them grade on this scale.
    pub fn new(scale: Scale, judges: usize) -> Self {
        let judges = judges.min(u16::MAX.into());
        Self { scale, judges, starts: vec![0], given: Vec::new(), query: Vec::new() }
    }

    /// Adds a pair: its query's number, and each judge's number with its grade. A pair without a grade counts, too.
    ///
    /// # Errors
    /// Returns an error if a grade is not on the scale or a judge's number is none; nothing is added then.
    pub fn push(
        &mut self,
        query: usize,
        grades: impl IntoIterator<Item = (usize, Grade)>,
    ) -> Result<(), PanelGradesError> {
        let before = self.given.len();
        for (judge, grade) in grades {
            match self.place(judge, grade) {
                Ok(given) => self.given.push(given),
                Err(error) => {
                    self.given.truncate(before);
                    return Err(error);
                }
            }
        }
        self.starts.push(self.given.len());
        self.query.push(query);
        Ok(())
    }

    fn place(&self, judge: usize, grade: Grade) -> Result<Given, PanelGradesError> {
        let none = || PanelGradesError::NoSuchJudge { judge, judges: self.judges };
        let number = u16::try_from(judge).ok().filter(|_| judge < self.judges).ok_or_else(none)?;
        let (low, high) = (self.scale.low(), self.scale.high());
        if grade < low || grade > high {
            return Err(PanelGradesError::OffScale { grade, low, high });
        }
        Ok(Given { judge: number, place: u16::try_from(grade - low).unwrap_or_default() })
    }

    /// Returns the scale that all judges grade on.
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// Returns the number of judges.
    pub fn judges(&self) -> usize {
        self.judges
    }

    /// Returns the number of pairs.
    pub fn pairs(&self) -> usize {
        self.query.len()
    }

    /// Returns the number of different queries.
    pub fn queries(&self) -> usize {
        let mut queries = self.query.clone();
        queries.sort_unstable();
        queries.dedup();
        queries.len()
    }

    /// Returns the query of a pair.
    pub fn query(&self, pair: usize) -> Option<usize> {
        self.query.get(pair).copied()
    }

    /// Returns the judges that graded a pair, each with its grade.
    pub fn of_pair(&self, pair: usize) -> impl Iterator<Item = (usize, Grade)> {
        self.places(pair).iter().map(|given| (given.judge(), self.grade(given.place())))
    }

    /// The number of grades on the scale.
    pub(super) fn levels(&self) -> usize {
        self.scale.grades().count()
    }

    pub(super) fn grade(&self, place: usize) -> Grade {
        self.scale.low().saturating_add(Grade::try_from(place).unwrap_or(Grade::MAX))
    }

    pub(super) fn place_of(&self, grade: Grade) -> Option<usize> {
        let place = usize::try_from(grade.checked_sub(self.scale.low())?).ok()?;
        (grade <= self.scale.high()).then_some(place)
    }

    pub(super) fn places(&self, pair: usize) -> &[Given] {
        match (self.starts.get(pair), self.starts.get(pair + 1)) {
            (Some(&from), Some(&to)) => self.given.get(from..to).unwrap_or_default(),
            _ => &[],
        }
    }

    /// How many judges gave each place of the scale to a pair.
    pub(super) fn counts(&self, pair: usize) -> Vec<f64> {
        let mut counts = vec![0.0; self.levels()];
        for given in self.places(pair) {
            if let Some(count) = counts.get_mut(given.place()) {
                *count += 1.0;
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_off_the_scale_is_refused_and_nothing_is_added() {
        let mut panel = PanelGrades::new(Scale::new(0, 3).unwrap(), 2);
        assert_eq!(
            panel.push(0, [(0, 2), (1, 5)]),
            Err(PanelGradesError::OffScale { grade: 5, low: 0, high: 3 })
        );
        assert_eq!(panel.push(0, [(2, 1)]), Err(PanelGradesError::NoSuchJudge { judge: 2, judges: 2 }));
        assert_eq!(panel.pairs(), 0);
        panel.push(4, [(1, 3)]).unwrap();
        assert_eq!(panel.of_pair(0).collect::<Vec<_>>(), [(1, 3)]);
        assert_eq!((panel.query(0), panel.query(1)), (Some(4), None));
    }
}
