//! One statistic of a judge's answers, and whether it is a reason for doubt.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{AlarmKind, Concern};

/// One statistic of a judge's answers, beside what a coin would give.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Alarm {
    /// The judge's name; several judges together are called `panel of 3`.
    pub judge: String,
    /// What was computed.
    pub kind: AlarmKind,
    /// Whether it is a reason for doubt.
    pub verdict: Concern,
    /// How many answers, pairs or queries it was computed from; the advice says which.
    pub n: usize,
    /// The statistic; null where there is nothing to compute it from.
    pub value: Option<f64>,
    /// The lower end of its interval.
    pub low: Option<f64>,
    /// The upper end of its interval.
    pub high: Option<f64>,
    /// What a judge that answers at random would give, where that is known.
    pub chance: Option<f64>,
    /// What was seen and what to do about it, in one or two sentences.
    pub advice: String,
}

impl Alarm {
    /// Returns whether the alarm is to be shown above a decision.
    pub fn rings(&self) -> bool {
        self.verdict > Concern::Fine
    }
}
