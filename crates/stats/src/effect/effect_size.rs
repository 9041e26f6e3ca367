//! An effect size with its interval.

use std::fmt;

use serde::Serialize;

use crate::undefined::Undefined;

/// The kinds of effect size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EffectMeasure {
    /// Cohen's d: the difference of the means over the pooled standard deviation of the values.
    CohenD,
    /// Cohen's d_z: the mean difference over the standard deviation of the differences.
    CohenDz,
    /// Hedges' g: Cohen's d without its bias.
    HedgesG,
    /// Cliff's delta: how much more often a value of the candidate is above one of the baseline than below.
    CliffDelta,
    /// Cliff's delta by query: the share of wins less the share of losses.
    PairedCliffDelta,
}

impl fmt::Display for EffectMeasure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::CohenD => "Cohen's d",
            Self::CohenDz => "Cohen's d_z",
            Self::HedgesG => "Hedges' g",
            Self::CliffDelta => "Cliff's delta",
            Self::PairedCliffDelta => "Cliff's delta by query",
        })
    }
}

/// An effect size with its interval; above 0 if the candidate is better.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct EffectSize {
    /// The kind of effect size.
    pub measure: EffectMeasure,
    /// The number of values of the baseline.
    pub baseline: usize,
    /// The number of values of the candidate.
    pub candidate: usize,
    /// The effect size; `None` if it is undefined.
    pub value: Option<f64>,
    /// The lower end of its interval; `None` if there is none.
    pub low: Option<f64>,
    /// The upper end of its interval; `None` if there is none.
    pub high: Option<f64>,
    /// The share of such intervals that hold the true effect.
    pub confidence: f64,
    /// Why there is no effect size, or no interval.
    pub undefined: Option<Undefined>,
}
