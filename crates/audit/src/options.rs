//! Options of the checks.

use llull_core::Seed;

/// How checks are computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AuditOptions {
    /// The source of resampling.
    pub seed: Seed,
    /// The confidence of the intervals, strictly between 0 and 1. The rest, one in twenty by default, limits the
    /// chance that judges within the thresholds do not pass, over all judges and checks.
    pub confidence: f64,
    /// How many of a system's documents a query's figure reads, where systems are compared.
    pub depth: usize,
}

impl AuditOptions {
    /// Returns 95% confidence and a depth of 10.
    pub fn new(seed: Seed) -> Self {
        Self { seed, confidence: 0.95, depth: 10 }
    }
}
