//! Student's t distribution, central and noncentral.
//!
//! Both are averages of normal ones over the estimates of a standard deviation.

use super::normal;

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

/// Returns the probability of a value above `t` if the mean lies `shift` standard errors from 0 (the noncentrality).
///
/// Given the estimate s of the standard deviation, the statistic is normal: this is the mean of Φ(shift - t s) over s.
pub(crate) fn above_noncentral(t: f64, degrees: f64, shift: f64) -> f64 {
    over_deviations(degrees, shift.abs(), |s| normal::cdf(shift - t * s))
}

/// Returns the probability of a value below `t`.
pub(crate) fn below(t: f64, degrees: f64, shift: f64) -> f64 {
    over_deviations(degrees, shift.abs(), |s| normal::cdf(t * s - shift))
}

/// Returns the shift with which a share `p` of the values lies above `t`: the end of an interval of the noncentrality.
/// `None` if it is not between -10^12 and 10^12.
pub(crate) fn shift_with_share_above(t: f64, degrees: f64, p: f64) -> Option<f64> {
    root_of_increasing(|shift| above_noncentral(t, degrees, shift) - p)
}

/// Returns the mean of `function(s)` over the estimates s of a standard deviation of 1, where s² is a chi-square
/// divided by its `degrees` of freedom. `scale` is the largest slope of the function: 1 for one that changes as fast
/// as s.
///
/// Over u = ln s the trapezoid rule converges exponentially (Trefethen and Weideman, The exponentially convergent
/// trapezoidal rule, SIAM Review 56(3), 2014); the constant of the weights cancels in the division by their sum. All
/// terms of a tail are positive, so that it keeps its relative precision, about 1e-13, down to 1e-60.
fn over_deviations(degrees: f64, scale: f64, function: impl Fn(f64) -> f64) -> f64 {
    /// Weights below e^-150 of the largest are left out.
    const NEGLIGIBLE: f64 = -150.0;
    /// Reached if the function changes a thousand times as fast as s; about 4 digits are left then.
    const MOST_POINTS: usize = 20_000;
    let log_weight = |u: f64| degrees * (u - libm::expm1(2.0 * u) / 2.0);
    let spread = (2.0 * degrees).sqrt().recip();
    // On the right the weight falls faster than the normal one, on the left more slowly.
    let last = (-NEGLIGIBLE / degrees).sqrt();
    let mut first = -last;
    while log_weight(first) > NEGLIGIBLE {
        first *= 1.25;
    }
    // Fine enough for the weight, for the width of its tails, and for the function.
    let step = (0.5 * spread).min(0.1).min(0.6 / scale.max(1.0));
    let points = (((last - first) / step).ceil() as usize).min(MOST_POINTS);
    let step = (last - first) / points as f64;
    let (sum, weights) = (0..=points).fold((0.0, 0.0), |(sum, weights), point| {
        let u = first + step * point as f64;
        let weight = libm::exp(log_weight(u));
        (sum + weight * function(libm::exp(u)), weights + weight)
    });
    sum / weights
}

/// Returns the place where `function`, which never falls, passes from below 0 to 0 or above. `None` if it is not
/// between -10^12 and 10^12, or if the function is NaN.
///
/// Chandrupatla's method, A new hybrid quadratic/bisection algorithm for finding the zero of a nonlinear function,
/// Advances in Engineering Software 28(3), 1997: the root stays bracketed, and smooth functions take some ten steps.
pub(crate) fn root_of_increasing(function: impl Fn(f64) -> f64) -> Option<f64> {
    let bound = |direction: f64| {
        (0..=20)
            .map(|step| direction * 4f64.powi(step))
            .map(|x| (x, function(x)))
            .find(|(_, y)| y * direction >= 0.0)
    };
    let (mut a, mut b) = (bound(1.0)?, bound(-1.0)?);
    let mut fraction = 0.5;
    for _ in 0..MOST_STEPS {
        let x = a.0 + fraction * (b.0 - a.0);
        let new = (x, function(x));
        // a becomes the newest end, b the end on the other side of the root, c the end that was dropped.
        let c = if (new.1 < 0.0) == (a.1 < 0.0) {
            a
        } else {
            let dropped = b;
            b = a;
            dropped
        };
        a = new;
        let nearest = if a.1.abs() < b.1.abs() { a } else { b };
        let share = 2.0 * f64::EPSILON * nearest.0.abs().max(f64::MIN_POSITIVE) / (b.0 - a.0).abs();
        if share >= 0.5 || nearest.1 == 0.0 {
            return Some(nearest.0);
        }
        fraction = step(a, b, c).clamp(share, 1.0 - share);
    }
    Some(a.0)
}

/// More than plain bisection takes: there are 2^64 floats.
const MOST_STEPS: usize = 200;

type Point = (f64, f64);

/// How far to go from a to b: by the inverse parabola through all three points where that is safe, else half way.
fn step(a: Point, b: Point, c: Point) -> f64 {
    let position = (a.0 - b.0) / (c.0 - b.0);
    let height = (a.1 - b.1) / (c.1 - b.1);
    if height * height < position && (1.0 - height) * (1.0 - height) < 1.0 - position {
        let first = a.1 / (b.1 - a.1) * c.1 / (b.1 - c.1);
        let second = (c.0 - a.0) / (b.0 - a.0) * a.1 / (c.1 - a.1) * b.1 / (c.1 - b.1);
        first + second
    } else {
        0.5
    }
}

#[cfg(test)]
#[allow(clippy::excessive_precision, reason = "the values stand as mpmath prints them")]
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
            let (got_under, got_over) = (below(t, degrees, shift), above_noncentral(t, degrees, shift));
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
            assert!((above_noncentral(t, degrees, 0.0) - super::above(t, degrees)).abs() < 1e-14);
        }
    }

    #[test]
    fn it_finds_what_is_there_and_nothing_else() {
        for expected in [-300.0, -0.1, 0.0, 0.3, 1e6] {
            for bend in [|x: f64| x, |x: f64| x * x * x, |x: f64| x.clamp(-1e-3, 1e-3), f64::signum] {
                let found = root_of_increasing(|x| bend(x - expected)).unwrap();
                assert!((found - expected).abs() <= 1e-5 * expected.abs() + 1e-5, "{found}, not {expected}");
            }
            let found = root_of_increasing(|x| libm::tanh(x - expected)).unwrap();
            assert!(
                (found - expected).abs() <= 4.0 * f64::EPSILON * expected.abs().max(1e-3),
                "{found}, not {expected}"
            );
        }
        assert_eq!(root_of_increasing(|_| 1.0), None);
        assert_eq!(root_of_increasing(|_| -1.0), None);
        assert_eq!(root_of_increasing(|_| f64::NAN), None);
    }
}
