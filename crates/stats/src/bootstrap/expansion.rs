//! The expansion of an interval of few values.
//!
//! It is as much wider than a normal interval as Student's t is than the normal distribution.

use crate::distribution::student;
use crate::least_topics::least_topics;

/// Converts the normal units that resamples vary in to those of Student's t (Hesterberg 2015).
#[derive(Clone, Copy)]
pub(super) struct Expansion {
    /// The standard error of a mean over its plug-in estimate, which resamples vary by: sqrt(n / (n - 1)).
    stretch: f64,
    /// The degrees of freedom of the standard error.
    degrees: f64,
    /// The number of values.
    n: usize,
}

impl Expansion {
    /// For `n` values.
    pub(super) fn of(n: usize) -> Self {
        let degrees = n as f64 - 1.0;
        Self { stretch: (n as f64 / degrees).sqrt(), degrees, n }
    }

    /// Returns how many normal units on either side hold this share; `None` if there are too few values for it.
    pub(super) fn units(self, confidence: f64) -> Option<f64> {
        (self.n >= least_topics(confidence))
            .then(|| self.stretch * student::critical((1.0 - confidence) / 2.0, self.degrees))
    }

    /// Returns the two-sided p of so many normal units.
    pub(super) fn p(self, units: f64) -> f64 {
        2.0 * student::above(units.abs() / self.stretch, self.degrees)
    }
}
