//! Student's t distribution.

use super::mixture::over_deviations;
use super::normal;
use super::root::root_of_increasing;

/// Returns the probability of a value above `t`; accurate in the far tail, where small p values lie. Given the estimate
/// s of the standard deviation, the statistic is normal: this is the mean of Φ(-t s) over s.
pub(crate) fn above(t: f64, degrees: f64) -> f64 {
    over_deviations(degrees, 1.0, |s| normal::cdf(-t * s))
}

/// Returns the value above which a share `p` lies, for a `p` strictly between 0 and 1.
pub(crate) fn critical(p: f64, degrees: f64) -> f64 {
    if p > 0.5 {
        return -critical(1.0 - p, degrees);
    }
    // There is no root only for a p so small that no finite t reaches it.
    root_of_increasing(|t| p - above(t, degrees)).unwrap_or(f64::INFINITY)
}

#[cfg(test)]
mod tests {
    use super::*;

    // scipy 1.17.1: scipy.stats.t.sf(t, degrees)
    #[test]
    fn tails_are_scipys() {
        for (degrees, t, expected) in [
            (1.0, 0.5, 0.35241638234956674),
            (1.0, -20.0, 0.9840977487438236),
            (2.0, 3.0, 0.04773298313335456),
            (7.0, -2.5, 0.9795038907071235),
            (24.0, 2.0638985616280205, 0.02500000000000028),
            (52.0, 1e-9, 0.499999999602971),
            (52.0, 8.0, 6.365386634568018e-11),
            (999.0, -3.3, 0.999499484368472),
            (1e6, 1.96, 0.024998033792634926),
        ] {
            let got = above(t, degrees);
            assert!((got / expected - 1.0).abs() < 1e-11, "{t} at {degrees}: {got}, not {expected}");
        }
        assert_eq!((above(f64::INFINITY, 3.0), above(0.0, 3.0)), (0.0, 0.5));
    }

    // scipy 1.17.1: scipy.stats.t.ppf(1 - p, degrees)
    #[test]
    fn critical_values_are_scipys() {
        for (degrees, p, expected) in [
            (1.0, 0.025, 12.706204736174694),
            (4.0, 0.05, 2.1318467863266495),
            (19.0, 0.025, 2.0930240544083087),
            (52.0, 0.005, 2.6737336306472197),
            (1e5, 0.1, 1.2815600314493614),
        ] {
            assert!((critical(p, degrees) / expected - 1.0).abs() < 1e-10, "{p} at {degrees}");
            assert_eq!(critical(1.0 - p, degrees), -critical(1.0 - (1.0 - p), degrees));
        }
    }
}
