//! How much wider than a normal interval the interval of few values is: as Student's t against the normal distribution.

use crate::descriptive::variance;
use crate::distribution::student;
use crate::least_topics::least_topics;

/// Converts the normal units that resamples vary in to those of Student's t (Hesterberg 2015).
#[derive(Clone, Copy)]
pub(super) struct Expansion {
    /// The standard error of a mean over its plug-in estimate, which resamples vary by: sqrt(n / (n - 1)).
    stretch: f64,
    /// The degrees of freedom of the standard error.
    degrees: f64,
    /// The number of values of the smaller sample.
    least: usize,
}

impl Expansion {
    /// For one sample of `n` values.
    pub(super) fn of(n: usize) -> Self {
        let degrees = n as f64 - 1.0;
        Self { stretch: (n as f64 / degrees).sqrt(), degrees, least: n }
    }

    /// For two samples, with the degrees of Welch, The generalization of "Student's" problem, Biometrika 34, 1947.
    pub(super) fn of_two(a: &[f64], b: &[f64]) -> Self {
        let error = |values: &[f64]| Some(variance(values)? / values.len() as f64);
        let (larger, least) = (a.len().max(b.len()), a.len().min(b.len()));
        let (first, second) = (error(a).unwrap_or_default(), error(b).unwrap_or_default());
        let share = first / (first + second);
        // Neither has a spread, or the spread of one is too large to compute.
        if !share.is_finite() {
            return Self { least, ..Self::of(larger) };
        }
        let degrees = |n: usize| n as f64 - 1.0;
        let plug_in = |share: f64, n: usize| share * degrees(n) / n as f64;
        let by_degrees = |share: f64, n: usize| if share > 0.0 { share * share / degrees(n) } else { 0.0 };
        Self {
            stretch: (plug_in(share, a.len()) + plug_in(1.0 - share, b.len())).sqrt().recip(),
            degrees: (by_degrees(share, a.len()) + by_degrees(1.0 - share, b.len())).recip(),
            least,
        }
    }

    /// Returns how many normal units on either side hold this share; `None` if there are too few values for it.
    pub(super) fn units(self, confidence: f64) -> Option<f64> {
        (self.least >= least_topics(confidence))
            .then(|| self.stretch * student::critical((1.0 - confidence) / 2.0, self.degrees))
    }

    /// Returns the two-sided p of so many normal units.
    pub(super) fn p(self, units: f64) -> f64 {
        2.0 * student::above(units.abs() / self.stretch, self.degrees)
    }
}
