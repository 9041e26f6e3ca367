//! The probability that a reader goes on to the next rank.

use super::number::Number;

/// The probability that a reader goes on from one rank to the next, from 0.01 to 0.99. ir_measures' `p`.
///
/// With 0.9 the first ten ranks hold most of the weight, with 0.95 the first twenty. The range is that of Clarke et
/// al.'s compatibility.py: with a larger `p`, ranks that no run retrieves would count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Persistence(Number);

impl Persistence {
    /// 0.8, RBP's default in ir_measures.
    pub const RBP: Self = Self(Number::constant(0.8));

    /// 0.9, the value of trec_eval's `rbp`.
    pub const TREC_EVAL: Self = Self(Number::constant(0.9));

    /// 0.95, Compat's default.
    pub const COMPAT: Self = Self(Number::constant(0.95));

    /// The persistence `p`; `None` outside of 0.01 to 0.99.
    pub fn new(p: f64) -> Option<Self> {
        Number::within(0.01..=0.99, p).map(Self)
    }

    /// The probability.
    pub fn get(self) -> f64 {
        self.0.get()
    }
}

impl Default for Persistence {
    /// [`COMPAT`](Self::COMPAT).
    fn default() -> Self {
        Self::COMPAT
    }
}
