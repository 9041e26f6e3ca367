//! Parameters that are a grade: the lowest relevant one, and the highest of the scale.

use llull_core::Grade;

/// The lowest grade that counts as relevant: 1 or more, 1 by default. ir_measures' `rel`, trec_eval's `-l`.
///
/// It cannot be 0 or less, because a grade of 0 or less means that a document is not relevant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Relevant(Grade);

impl Relevant {
    /// Grade 1, the default.
    pub const GRADE_1: Self = Self(1);

    /// The threshold at `grade`; `None` below 1.
    pub fn from_grade(grade: Grade) -> Option<Self> {
        (grade >= 1).then_some(Self(grade))
    }

    /// The lowest grade that counts as relevant.
    pub fn grade(self) -> Grade {
        self.0
    }
}

impl Default for Relevant {
    fn default() -> Self {
        Self::GRADE_1
    }
}

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
