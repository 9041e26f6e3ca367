//! Parameters of the permutation test.

use llull_core::Seed;
use serde::Serialize;

use crate::error::StatsError;

/// Parameters of [`permutation_test`](crate::permutation_test).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PermutationOptions {
    /// The number of random permutations if not all are counted; 10,000 by default.
    pub permutations: usize,
    /// The source of chance.
    pub seed: Seed,
}

impl PermutationOptions {
    /// Returns the defaults: 10,000 permutations.
    pub fn new(seed: Seed) -> Self {
        Self { permutations: 10_000, seed }
    }

    pub(super) fn check(&self) -> Result<(), StatsError> {
        // Counts are 32-bit numbers.
        if self.permutations == 0 || u32::try_from(self.permutations).is_err() {
            return Err(StatsError::Permutations(self.permutations));
        }
        Ok(())
    }
}
