//! The recall at which precision is read.

use super::number::Number;

/// A share of the relevant documents, from 0 to 1, at which `IPrec` reads the precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RecallLevel(Number);

impl RecallLevel {
    /// The level `recall`; `None` outside of 0 to 1.
    pub fn new(recall: f64) -> Option<Self> {
        Number::within(0.0..=1.0, recall).map(Self)
    }

    /// The share.
    pub fn get(self) -> f64 {
        self.0.get()
    }
}
