//! How far a mean difference lies beyond the threshold of a decision.

use crate::descriptive::{mean, variance};
use crate::distribution::student;

/// A mean difference against the half-width of its interval by Student's t, at 95% confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VerdictMargin {
    /// The size of the mean difference beyond the threshold, in standard errors: `|mean| / SE - t[n - 1]`. It is above
    /// 0 if the interval excludes 0.
    pub x: f64,
    /// The same in units of the differences: the distance from 0 of the nearer end of the interval.
    pub margin: f64,
}

impl VerdictMargin {
    /// Returns the margin of these differences; `None` for fewer than two, or if all are equal.
    ///
    /// ```
    /// use llull_stats::VerdictMargin;
    ///
    /// let margin = VerdictMargin::of(&[0.1, 0.3, 0.2, 0.2]).unwrap();
    /// assert!((margin.x - (24f64.sqrt() - 3.1824463)).abs() < 1e-6);
    /// assert_eq!(VerdictMargin::of(&[0.1, 0.1]), None);
    /// ```
    pub fn of(differences: &[f64]) -> Option<Self> {
        let n = differences.len() as f64;
        // Rounding would leave equal differences a tiny deviation.
        let equal = differences.windows(2).all(|two| two[0] == two[1]);
        let error = (variance(differences)? / n).sqrt();
        let threshold = student::critical(0.025, n - 1.0);
        let size = mean(differences).abs();
        (!equal && error > 0.0 && size.is_finite())
            .then(|| Self { x: size / error - threshold, margin: size - threshold * error })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_direction_does_not_matter() {
        let up = [0.1, 0.3, 0.2, -0.05];
        assert_eq!(VerdictMargin::of(&up), VerdictMargin::of(&up.map(|value| -value)));
    }

    #[test]
    fn equal_or_few_or_infinite_differences_have_none() {
        for values in [&[][..], &[1.0], &[0.2, 0.2, 0.2], &[f64::INFINITY, 0.0], &[f64::NAN, 0.0]] {
            assert_eq!(VerdictMargin::of(values), None, "{values:?}");
        }
    }
}
