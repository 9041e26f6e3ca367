//! The gain that a reader looks for.

use super::number::Number;

/// How much gain a reader looks for, in documents of the best grade: from 0.5 to 1,000; 1 by default. ir_measures'
/// `T`. (Below 0.5 the probability with which a reader goes on could exceed 1.)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Target(Number);

impl Target {
    /// One document, the default.
    pub const ONE: Self = Self(Number::constant(1.0));

    /// The target; `None` outside of 0.5 to 1,000.
    pub fn new(target: f64) -> Option<Self> {
        Number::within(0.5..=1000.0, target).map(Self)
    }

    /// The number of documents.
    pub fn get(self) -> f64 {
        self.0.get()
    }
}

impl Default for Target {
    fn default() -> Self {
        Self::ONE
    }
}
