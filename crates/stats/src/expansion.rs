//! From bootstrap intervals to those that few values allow: as Student's t is wider than the normal distribution.

use crate::distribution::student;
use crate::significance::variance;

/// From the normal units that resamples vary in to those of Student's t (Hesterberg 2015).
#[derive(Clone, Copy)]
pub(crate) struct Expansion {
    /// The standard error of a mean over its plug-in estimate, which resamples vary by: sqrt(n / (n - 1)).
    stretch: f64,
    /// The degrees of freedom of the standard error.
    degrees: f64,
}

impl Expansion {
    pub(crate) fn of(n: usize) -> Self {
        let degrees = n as f64 - 1.0;
        Self { stretch: (n as f64 / degrees).sqrt(), degrees }
    }

    /// Of two samples, with the degrees of Welch, The generalization of "Student's" problem, Biometrika 34, 1947.
    pub(crate) fn of_two(a: &[f64], b: &[f64]) -> Self {
        let error = |values: &[f64]| variance(values).map(|variance| variance / values.len() as f64);
        let of_larger = Self::of(a.len().max(b.len()));
        let (Some(first), Some(second)) = (error(a), error(b)) else { return of_larger };
        let plug_in = |error: f64, n: usize| error * (n as f64 - 1.0) / n as f64;
        let by_degrees = |error: f64, n: usize| error * error / (n as f64 - 1.0);
        let squared = first + second;
        // Neither has any spread.
        if squared == 0.0 {
            return of_larger;
        }
        Self {
            stretch: (squared / (plug_in(first, a.len()) + plug_in(second, b.len()))).sqrt(),
            degrees: squared * squared / (by_degrees(first, a.len()) + by_degrees(second, b.len())),
        }
    }

    /// How many normal units either way hold this share.
    pub(crate) fn units(self, confidence: f64) -> f64 {
        self.stretch * student::critical((1.0 - confidence) / 2.0, self.degrees)
    }

    /// The two-sided p of so many normal units.
    pub(crate) fn p(self, units: f64) -> f64 {
        2.0 * student::above(units.abs() / self.stretch, self.degrees)
    }
}
