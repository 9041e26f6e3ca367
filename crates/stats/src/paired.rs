//! The differences of two systems over the same queries.

use crate::descriptive::{difference, mean, noise, range, variance};
use crate::error::{StatsError, Undefined};

/// Candidate minus baseline, query by query.
pub(crate) struct Paired {
    /// In the order of the queries; exactly 0 where the two differ by rounding alone.
    pub(crate) differences: Vec<f64>,
    /// How far rounding can move a difference.
    pub(crate) noise: f64,
}

impl Paired {
    pub(crate) fn of(baseline: &[f64], candidate: &[f64]) -> Result<Self, StatsError> {
        if baseline.len() != candidate.len() {
            return Err(StatsError::Unpaired { baseline: baseline.len(), candidate: candidate.len() });
        }
        StatsError::unless_samples(baseline, candidate)?;
        let differences: Vec<f64> = baseline.iter().zip(candidate).map(|(a, b)| difference(*a, *b)).collect();
        // Two finite values can be farther apart than any finite number.
        StatsError::unless_finite(&differences)?;
        Ok(Self { differences, noise: noise(baseline).max(noise(candidate)) })
    }

    pub(crate) fn n(&self) -> usize {
        self.differences.len()
    }

    /// The number of queries on which the two differ.
    pub(crate) fn differing(&self) -> usize {
        self.differences.iter().filter(|difference| **difference != 0.0).count()
    }

    pub(crate) fn wins(&self) -> usize {
        self.differences.iter().filter(|difference| **difference > 0.0).count()
    }

    pub(crate) fn mean(&self) -> f64 {
        mean(&self.differences)
    }

    /// The standard deviation of the differences, with n - 1; 0 if they differ from one another by rounding alone,
    /// `None` for a single difference.
    pub(crate) fn deviation(&self) -> Option<f64> {
        let (least, most) = range(&self.differences);
        if self.n() > 1 && most - least <= self.noise {
            return Some(0.0);
        }
        variance(&self.differences).map(f64::sqrt)
    }

    /// The standard deviation of the differences, or why nothing can be divided by it.
    pub(crate) fn spread(&self) -> Result<f64, Undefined> {
        match self.deviation() {
            None => Err(Undefined::TooFew { n: self.n(), needed: 2 }),
            Some(0.0) if self.differing() == 0 => Err(Undefined::Identical),
            Some(0.0) => Err(Undefined::NoSpread),
            Some(deviation) => Ok(deviation),
        }
    }
}
