//! An effect size with its interval.

use serde::Serialize;

use crate::undefined::Undefined;

/// An effect size with its interval; above 0 if the candidate is better.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct EffectSize {
    /// The effect size; `None` if it is undefined.
    pub value: Option<f64>,
    /// The lower end of its interval; `None` without an interval.
    pub low: Option<f64>,
    /// The upper end of its interval; `None` without an interval.
    pub high: Option<f64>,
    /// Why there is no effect size, or no interval.
    pub undefined: Option<Undefined>,
}
