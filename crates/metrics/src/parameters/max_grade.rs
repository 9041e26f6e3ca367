//! The highest grade of the scale.

use llull_core::Grade;

/// The highest grade of the scale, 1 or more, against which a gain or a probability is measured. Higher grades count
/// as this one. ir_measures' `max_rel`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MaxGrade(Grade);

impl MaxGrade {
    /// Grade 4, as in gdeval.pl, with which TREC's Web track and ir_measures compute ERR.
    pub const GDEVAL: Self = Self(4);

    /// The scale that ends at `grade`; `None` below 1.
    pub fn from_grade(grade: Grade) -> Option<Self> {
        (grade >= 1).then_some(Self(grade))
    }

    /// The highest grade.
    pub fn grade(self) -> Grade {
        self.0
    }
}
