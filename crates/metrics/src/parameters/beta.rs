//! The weight of recall in F.

use super::number::Number;

/// How many times as important recall is as precision in F: above 0, up to 1,000; 1 by default. It enters the formula
/// as its square (van Rijsbergen 1979).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Beta(Number);

impl Beta {
    /// 1, the default.
    pub const ONE: Self = Self(Number::constant(1.0));

    /// The weight; `None` if it is not above 0, or above 1,000.
    pub fn new(beta: f64) -> Option<Self> {
        Number::above_zero(1000.0, beta).map(Self)
    }

    /// The weight.
    pub fn get(self) -> f64 {
        self.0.get()
    }
}

impl Default for Beta {
    fn default() -> Self {
        Self::ONE
    }
}
