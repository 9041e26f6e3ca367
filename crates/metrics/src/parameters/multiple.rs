//! The multiple of R at which R-precision is read.

use super::number::Number;

/// The multiple of R that is the cutoff of `Rprec`: above 0, up to 1,000; 1 by default. trec_eval's `Rprec_mult`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Multiple(Number);

impl Multiple {
    /// 1, the default.
    pub const ONE: Self = Self(Number::constant(1.0));

    /// The multiple; `None` if it is not above 0, or above 1,000.
    pub fn new(multiple: f64) -> Option<Self> {
        Number::above_zero(1000.0, multiple).map(Self)
    }

    /// The factor.
    pub fn get(self) -> f64 {
        self.0.get()
    }
}

impl Default for Multiple {
    fn default() -> Self {
        Self::ONE
    }
}
