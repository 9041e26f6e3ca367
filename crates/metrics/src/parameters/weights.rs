//! The worth of documents for utility.

use std::fmt;

use super::number::Number;

/// The summands of `utility`: the worth of a relevant document that is retrieved, of any other document that is
/// retrieved, and of a relevant document that is missed. Each is from -1,000 to 1,000; 1, -1 and 0 by default.
///
/// trec_eval has a fourth weight, for documents that are rightly left out. It needs the size of the corpus; it is 0
/// here, which is also its default there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Weights([Number; 3]);

impl Weights {
    /// 1, -1 and 0, the default.
    pub const TREC_EVAL: Self = Self([Number::constant(1.0), Number::constant(-1.0), Number::constant(0.0)]);

    /// These weights; `None` if one is not a number from -1,000 to 1,000.
    pub fn new(found: f64, others: f64, missed: f64) -> Option<Self> {
        let within = |weight| Number::within(-1000.0..=1000.0, weight);
        Some(Self([within(found)?, within(others)?, within(missed)?]))
    }

    /// The worth of a relevant document that is retrieved.
    pub fn found(self) -> f64 {
        self.0[0].get()
    }

    /// The worth of any other document that is retrieved.
    pub fn others(self) -> f64 {
        self.0[1].get()
    }

    /// The worth of a relevant document that is not retrieved.
    pub fn missed(self) -> f64 {
        self.0[2].get()
    }
}

impl Default for Weights {
    fn default() -> Self {
        Self::TREC_EVAL
    }
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.found(), self.others(), self.missed())
    }
}
