//! The noncentral t distribution: what a t statistic does when there is a difference.

use super::{normal, over_deviations, root_of_increasing};

/// The probability of a value above `t` when the mean lies `shift` standard errors from 0 (the noncentrality).
///
/// Given the estimate s of the standard deviation the statistic is normal: it is the mean of Φ(shift - t s) over s.
pub(crate) fn above(t: f64, degrees: f64, shift: f64) -> f64 {
    over_deviations(degrees, shift.abs(), |s| normal::cdf(shift - t * s))
}

/// The probability of a value below `t`.
pub(crate) fn below(t: f64, degrees: f64, shift: f64) -> f64 {
    over_deviations(degrees, shift.abs(), |s| normal::cdf(t * s - shift))
}

/// The shift under which a share `p` of the values lies above `t`: what an interval of a noncentrality ends at. `None` when no
/// shift within reason does it.
pub(crate) fn shift_with_share_above(t: f64, degrees: f64, p: f64) -> Option<f64> {
    root_of_increasing(|shift| above(t, degrees, shift) - p)
}

#[cfg(test)]
mod tests {
    use super::*;

    // scipy 1.17.1: scipy.stats.nct.sf(t, degrees, shift) and .cdf
    #[test]
    fn both_sides_are_scipys() {
        for (degrees, shift, t, under, over) in [
            (1.0, 0.5, 1.0, 0.5927477364400293, 0.4072522635599707),
            (2.0, -1.0, 3.0, 0.992371247766417, 0.007628752233582987),
            (9.0, 1.2, 2.2621571628540993, 0.8118186883095547, 0.1881813116904453),
            (19.0, 2.5, 2.093, 0.34004876098505193, 0.659951239014948),
            (52.0, 0.0, 1.5, 0.9301690385096735, 0.06983096149032655),
            (52.0, 5.0, 2.0066, 0.0016101555578565377, 0.9983898444421434),
            (52.0, 5.0, -2.0066, 3.1784298364384956e-12, 0.9999999999968215),
            (999.0, 30.0, 28.0, 0.04457832365654628, 0.9554216763434538),
            (9999.0, 40.0, 41.0, 0.8313369542236887, 0.1686630457763113),
            (3.0, 8.0, 2.0, 2.8052008706357603e-06, 0.9999971947991293),
        ] {
            let (got_under, got_over) = (below(t, degrees, shift), above(t, degrees, shift));
            assert!((got_under / under - 1.0).abs() < 1e-8, "{t} {degrees} {shift}: {got_under}, not {under}");
            assert!((got_over / over - 1.0).abs() < 1e-8, "{t} {degrees} {shift}: {got_over}, not {over}");
            assert!((got_under - under).abs() < 1e-12 && (got_under + got_over - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn without_a_shift_it_is_students() {
        for (degrees, t) in [(1.0, -2.0), (3.0, 0.4), (40.0, 2.5)] {
            assert!((above(t, degrees, 0.0) - super::super::student::above(t, degrees)).abs() < 1e-14);
        }
    }
}
