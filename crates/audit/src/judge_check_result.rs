//! A check of a judge: a statistic and an outcome.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{CheckKind, CheckOutcome};

/// A check of a judge: one statistic of its answers, compared with chance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeCheck {
    /// The judge's name; several judges together are called `panel of 3`.
    pub judge: String,
    /// The kind of statistic.
    pub kind: CheckKind,
    /// Whether it is a reason for doubt.
    pub outcome: CheckOutcome,
    /// How many answers, pairs or queries it was computed from; the finding names the unit.
    pub n: usize,
    /// The statistic; null where there is nothing to compute it from.
    pub value: Option<f64>,
    /// The lower end of its interval.
    pub low: Option<f64>,
    /// The upper end of its interval.
    pub high: Option<f64>,
    /// The statistic of a judge with random answers, where it is known.
    pub chance: Option<f64>,
    /// The finding in sentences: the conclusion, the number, the range of good judges.
    pub finding: String,
    /// The remedy as a sentence; empty if the check passed.
    pub remedy: String,
}

impl JudgeCheck {
    /// Returns whether the check is to be shown above a decision.
    pub fn is_raised(&self) -> bool {
        self.outcome > CheckOutcome::Passed
    }

    /// Returns whether a check that is not raised has no figure to pass by: none at all, or one without an interval and
    /// a value by chance.
    pub fn is_undecided(&self) -> bool {
        !self.is_raised() && (self.value.is_none() || (self.low.is_none() && self.chance.is_none()))
    }
}
