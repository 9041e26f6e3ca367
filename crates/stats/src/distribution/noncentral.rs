//! The noncentral t distribution: a t statistic with a difference.

use super::mixture::over_deviations;
use super::normal;
use super::root::root_of_increasing;

/// Returns the probability of a value above `t` if the mean lies `shift` standard errors from 0 (the noncentrality).
///
/// Given the estimate s of the standard deviation, the statistic is normal: this is the mean of Φ(shift - t s) over s.
pub(crate) fn above(t: f64, degrees: f64, shift: f64) -> f64 {
    over_deviations(degrees, shift.abs(), |s| normal::cdf(shift - t * s))
}

/// Returns the probability of a value below `t`.
pub(crate) fn below(t: f64, degrees: f64, shift: f64) -> f64 {
    over_deviations(degrees, shift.abs(), |s| normal::cdf(t * s - shift))
}

/// Returns the shift with which a share `p` of the values lies above `t`: the end of an interval of the noncentrality.
/// `None` if it is not between -10^12 and 10^12.
pub(crate) fn shift_with_share_above(t: f64, degrees: f64, p: f64) -> Option<f64> {
    root_of_increasing(|shift| above(t, degrees, shift) - p)
}

#[cfg(test)]
#[allow(clippy::excessive_precision, reason = "the values stand as mpmath prints them")]
mod tests {
    use super::*;

    // mpmath 1.4.1, 40 digits: quad of Φ(t s - shift) over the density of s, the definition. scipy 1.17.1's
    // scipy.stats.nct.cdf and .sf agree to 12 digits, but to 5 only in the lower tail of (52, 5, -2.0066).
    #[test]
    fn both_sides_are_the_integrals() {
        for (degrees, shift, t, under, over) in [
            (1.0, 0.5, 1.0, 0.59274773644002936, 0.40725226355997064),
            (2.0, -1.0, 3.0, 0.99237124776641703, 0.0076287522335829672),
            (9.0, 1.2, 2.2621571628540993, 0.81181868830955474, 0.18818131169044526),
            (52.0, 5.0, -2.0066, 3.1784254783573502e-12, 0.99999999999682157),
            (52.0, 5.0, 2.0066, 0.0016101555578565367, 0.99838984444214346),
            (999.0, 30.0, 28.0, 0.044578323656546332, 0.95542167634345367),
            (9999.0, 40.0, 41.0, 0.83133695422368844, 0.16866304577631156),
            (3.0, 8.0, 2.0, 2.8052008706357667e-6, 0.99999719479912936),
        ] {
            let (got_under, got_over) = (below(t, degrees, shift), above(t, degrees, shift));
            assert!(
                (got_under / under - 1.0).abs() < 1e-12,
                "{t} {degrees} {shift}: {got_under}, not {under}"
            );
            assert!((got_over / over - 1.0).abs() < 1e-12, "{t} {degrees} {shift}: {got_over}, not {over}");
        }
    }

    #[test]
    fn without_a_shift_it_is_students() {
        for (degrees, t) in [(1.0, -2.0), (3.0, 0.4), (40.0, 2.5)] {
            assert!((above(t, degrees, 0.0) - super::super::student::above(t, degrees)).abs() < 1e-14);
        }
    }
}
