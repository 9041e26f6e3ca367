//! The parameters of one measure.

use llull_core::Grade;

use super::{
    Beta, Cutoff, Gain, MaxGrade, Multiple, Persistence, RecallLevel, Relevant, Rounding, Target, Unjudged,
    Weights,
};

/// The parameters of one measure. Those that the measure does not have are as in [`Parameters::NONE`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Parameters {
    /// The rank down to which the measure looks; `None` for the whole list.
    pub cutoff: Option<Cutoff>,
    /// The recall at which `IPrec` reads the precision.
    pub recall: Option<RecallLevel>,
    /// The gain of a grade.
    pub gain: Gain,
    /// The lowest grade that counts as relevant; `None` for a measure that draws no such line.
    pub rel: Option<Relevant>,
    /// The highest grade of the scale.
    pub max_rel: Option<MaxGrade>,
    /// The lowest grade of the scale, which gains nothing; grades count from it. 0 where grades are gains.
    pub min_rel: Grade,
    /// The probability that a reader goes on to the next rank.
    pub p: Persistence,
    /// Whether Compat is divided by the overlap of the ideal order with itself.
    pub normalize: bool,
    /// How much gain a reader looks for.
    pub target: Target,
    /// The multiple of R that is the cutoff of `Rprec`.
    pub mult: Multiple,
    /// How much more recall counts than precision in F.
    pub beta: Beta,
    /// Whether precision is divided by the most that is possible.
    pub relative: bool,
    /// How a recall level becomes a number of documents.
    pub rounding: Rounding,
    /// The worth of documents for `utility`.
    pub weights: Weights,
    /// The treatment of a retrieved document without a label.
    pub unjudged: Unjudged,
}

impl Parameters {
    /// The parameters of a measure that has none.
    pub const NONE: Self = Self {
        cutoff: None,
        recall: None,
        gain: Gain::Linear,
        rel: None,
        max_rel: None,
        min_rel: 0,
        p: Persistence::COMPAT,
        normalize: true,
        target: Target::ONE,
        mult: Multiple::ONE,
        beta: Beta::ONE,
        relative: false,
        rounding: Rounding::Up,
        weights: Weights::TREC_EVAL,
        unjudged: Unjudged::NotRelevant,
    };

    /// The defaults of most measures that draw a line between relevant and not: `rel` is 1.
    pub const BINARY: Self = Self { rel: Some(Relevant::GRADE_1), ..Self::NONE };

    /// The lowest grade that counts as relevant; 1 for a measure that draws no such line.
    pub(crate) fn relevant(&self) -> Relevant {
        self.rel.unwrap_or_default()
    }

    /// The highest grade of the scale; 4 if none is given.
    pub(crate) fn highest_grade(&self) -> MaxGrade {
        self.max_rel.unwrap_or(MaxGrade::GDEVAL)
    }

    /// The same for grades that are counted from the lowest of the scale.
    pub(crate) fn above_lowest(&self) -> Self {
        let above =
            |highest: MaxGrade| MaxGrade::from_grade(highest.grade() - self.min_rel).unwrap_or(highest);
        Self { max_rel: self.max_rel.map(above), min_rel: 0, ..*self }
    }

    /// The number of ranks that the measure reads: those down to the cutoff, or all.
    pub(crate) fn ranks(&self) -> usize {
        self.cutoff.map_or(usize::MAX, |cutoff| cutoff.rank() as usize)
    }
}

impl Default for Parameters {
    fn default() -> Self {
        Self::NONE
    }
}
