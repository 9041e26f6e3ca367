//! Differences over the same topics: what every paired test begins with.

use crate::error::StatsError;
use crate::rounding::{difference, noise};

/// Candidate minus baseline by topic.
pub(crate) struct Paired {
    /// In the order of the topics; exactly 0 where the two differ by rounding alone.
    pub(crate) differences: Vec<f64>,
    /// How far a difference may be off by rounding.
    pub(crate) noise: f64,
}

impl Paired {
    pub(crate) fn of(baseline: &[f64], candidate: &[f64]) -> Result<Self, StatsError> {
        if baseline.len() != candidate.len() {
            return Err(StatsError::Unpaired { baseline: baseline.len(), candidate: candidate.len() });
        }
        if baseline.is_empty() {
            return Err(StatsError::Empty);
        }
        StatsError::unless_finite(baseline)?;
        StatsError::unless_finite(candidate)?;
        let differences: Vec<f64> = baseline.iter().zip(candidate).map(|(a, b)| difference(*a, *b)).collect();
        // Two finite values can be farther apart than any finite number.
        StatsError::unless_finite(&differences)?;
        Ok(Self { differences, noise: noise(baseline).max(noise(candidate)) })
    }

    pub(crate) fn n(&self) -> usize {
        self.differences.len()
    }

    /// Topics on which the two differ.
    pub(crate) fn differing(&self) -> usize {
        self.differences.iter().filter(|difference| **difference != 0.0).count()
    }

    pub(crate) fn wins(&self) -> usize {
        self.differences.iter().filter(|difference| **difference > 0.0).count()
    }

    pub(crate) fn mean(&self) -> f64 {
        mean(&self.differences)
    }

    /// The standard deviation of the differences, with n - 1; 0 when they differ from one another by rounding
    /// alone, `None` when there is one only.
    pub(crate) fn deviation(&self) -> Option<f64> {
        let least = self.differences.iter().copied().fold(f64::INFINITY, f64::min);
        let most = self.differences.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if self.n() > 1 && most - least <= self.noise {
            return Some(0.0);
        }
        variance(&self.differences).map(f64::sqrt)
    }
}

pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The sum of squared deviations over n - 1; `None` for fewer than two values.
pub(crate) fn variance(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    Some(squares / (values.len() - 1) as f64)
}
