//! The decrease of a subtopic's worth after each document.

use super::number::Number;

/// The share of its worth that a subtopic loses with every document about it: from 0 (nothing) to 1 (everything);
/// 0.5 by default. The α of [`DiversityMeasure::AlphaNdcg`](crate::DiversityMeasure::AlphaNdcg).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Alpha(Number);

impl Alpha {
    /// The share that is lost; `None` outside of 0 to 1.
    pub fn new(alpha: f64) -> Option<Self> {
        Number::within(0.0..=1.0, alpha).map(Self)
    }

    /// The share.
    pub fn get(self) -> f64 {
        self.0.get()
    }
}

impl Default for Alpha {
    fn default() -> Self {
        Self(Number::constant(0.5))
    }
}
