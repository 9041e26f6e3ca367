//! Parameters of a bootstrap.

use llull_core::Seed;
use serde::Serialize;

use crate::error::StatsError;

/// Parameters of a bootstrap.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct BootstrapOptions {
    /// The number of resamples; 10,000 by default.
    pub resamples: usize,
    /// The share of such intervals that should hold the true value; 0.95 by default.
    pub confidence: f64,
    /// The source of chance.
    pub seed: Seed,
}

impl BootstrapOptions {
    /// Returns the defaults: 10,000 resamples and 95% confidence.
    pub fn new(seed: Seed) -> Self {
        Self { resamples: 10_000, confidence: 0.95, seed }
    }

    /// Checks that an interval can be computed with these parameters.
    ///
    /// # Errors
    /// Returns an error if the confidence is not between 0 and 1, or if there are so few resamples that none lies
    /// beyond the ends of the interval.
    pub fn check(&self) -> Result<(), StatsError> {
        let Self { resamples, confidence, .. } = *self;
        StatsError::unless_confidence(confidence)?;
        let needed = (2.0 / (1.0 - confidence)).ceil() as usize;
        if resamples < needed { Err(StatsError::Resamples { resamples, confidence, needed }) } else { Ok(()) }
    }
}
