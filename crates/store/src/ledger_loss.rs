//! Attempts that a ledger has lost.

use std::fmt;

/// Attempts that were recorded in a ledger, and are not in it any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct LedgerLoss {
    /// How many were recorded, at least.
    pub recorded: u64,
    /// How many are in the ledger.
    pub found: u64,
}

impl LedgerLoss {
    /// Returns how many are missing, at least.
    pub fn missing(&self) -> u64 {
        self.recorded.saturating_sub(self.found)
    }
}

impl fmt::Display for LedgerLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} recorded attempts are missing from the ledger", self.missing(), self.recorded)
    }
}
