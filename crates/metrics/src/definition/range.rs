//! The range of a measure's values.

use std::fmt;
use std::ops::RangeInclusive;

/// The values that a measure can have for one query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ValueRange {
    /// From 0 to 1.
    Unit,
    /// 0 and more.
    NotNegative,
    /// Any number.
    Any,
}

impl ValueRange {
    /// The least and the greatest value.
    pub fn bounds(self) -> RangeInclusive<f64> {
        match self {
            Self::Unit => 0.0..=1.0,
            Self::NotNegative => 0.0..=f64::INFINITY,
            Self::Any => f64::NEG_INFINITY..=f64::INFINITY,
        }
    }
}

impl fmt::Display for ValueRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Unit => "0 to 1",
            Self::NotNegative => "0 and more",
            Self::Any => "any",
        })
    }
}
