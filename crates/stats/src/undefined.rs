//! Reasons why a figure is undefined although the input is valid.

use std::fmt;

use serde::Serialize;

/// Why a figure is undefined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "reason")]
pub enum Undefined {
    /// There are too few values.
    TooFew {
        /// The number of values.
        n: usize,
        /// The least number of values that defines the figure.
        needed: usize,
    },
    /// The two systems have the same value on every query: 0 / 0.
    Identical,
    /// All values, or all differences, are equal but not 0: the spread is 0 and the figure infinite.
    NoSpread,
    /// The values are finite, but the figure is too large to compute.
    OutOfRange,
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFew { n, needed } => {
                write!(f, "there are too few values ({n}; at least {needed} are needed)")
            }
            Self::Identical => f.write_str("the two have the same value on every query"),
            Self::NoSpread => f.write_str("there is no spread to compare the difference with"),
            Self::OutOfRange => f.write_str("the figure is too large to compute"),
        }
    }
}
